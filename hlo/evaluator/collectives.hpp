// The meaning of collectives when every partition's value is at hand.
#pragma once

#include "hlo/module.hpp"

#include <span>

namespace ganglion::hlo {

/// Computes collective `i` for the partitions `active` (ascending), which give
/// one input and one output each; the module has `partitions` of them.
/// Reductions go in the order of the group, in double for floating types, and
/// round once. Throws `invalid_argument` for groups that do not name each
/// partition once, do not fit the shapes, or hold a partition that is not
/// active.
void evaluate_collective(const instruction &i,
                         std::span<const std::size_t> active,
                         std::size_t partitions,
                         std::span<const literal_view> inputs,
                         std::span<const literal_view> outputs);

} // namespace ganglion::hlo
