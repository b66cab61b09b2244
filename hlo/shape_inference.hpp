// The result shape of every operation from its operands and attributes: what
// the builder trusts and the verifier checks.
#pragma once

#include "hlo/attributes.hpp"

#include <span>

namespace ganglion::hlo {

/// Infers the shape of `op` applied to `operands`. `parameter`, `constant`
/// and `iota` are not inferred: their shape is given. For `convert`,
/// `bitcast-convert`, `broadcast` and `reshape`, `wanted` gives the element
/// type or dimensions that the operands do not determine. Throws
/// `invalid_argument` naming the operation and the rule that is broken.
shape infer_shape(opcode op, std::span<const shape *const> operands,
                  const attributes &attrs, const shape &wanted = {});

} // namespace ganglion::hlo
