// Between the arrays of a graph and the order in which its program keeps them.
#pragma once

#include "hlo/literal.hpp"
#include "neuron/program.hpp"

#include <cstddef>

namespace ganglion::neuron {

/// Writes `value`, of the graph's shape, to `out`, of parameter.bytes(), as
/// the program wants it.
void to_program_form(const hlo::literal &value,
                     const program_parameter &parameter, std::byte *out);

/// Output `k` of `code`, which lies at `data`, as an array of the graph.
hlo::literal from_program_form(const program &code, std::size_t k,
                               const std::byte *data);

} // namespace ganglion::neuron
