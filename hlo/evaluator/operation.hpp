// One operation on memory that somebody else owns: the reference meaning of
// every operation that is neither structure nor a collective.
#pragma once

#include "hlo/module.hpp"

#include <span>

namespace ganglion::hlo {

/// Computes `i` from `operands` into `out`; both are dense row-major and have
/// the shapes of the instruction, whatever layout those name. Floating types
/// are computed in double and rounded once; dot and reduce accumulate in
/// double; integers are exact and wrap. `out` may be the memory of the first
/// operand for dynamic-update-slice, scatter, copy, reshape and
/// bitcast-convert, and of an operand of the same shape for elementwise
/// operations; otherwise it must not overlap. Keeps no state: any thread may
/// call. Elementwise operations and plain data movement do not allocate.
/// Throws `unsupported` for parameter, structure, collectives, results that
/// are tuples, and element types that the operation has no meaning for.
void evaluate_operation(const instruction &i,
                        std::span<const literal_view> operands,
                        literal_view out);

/// The same for operations that may give a tuple of arrays, one view each.
void evaluate_results(const instruction &i,
                      std::span<const literal_view> operands,
                      std::span<const literal_view> outs);

/// `sort` of any number of arrays together; `outs` has one view per operand.
void evaluate_sort(const instruction &i, std::span<const literal_view> operands,
                   std::span<const literal_view> outs);

/// `reduce` of any number of arrays together (operands, then initial values).
void evaluate_reduce(const instruction &i,
                     std::span<const literal_view> operands,
                     std::span<const literal_view> outs);

} // namespace ganglion::hlo
