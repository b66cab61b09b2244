// The mixture of experts of one layer in a step graph.
#pragma once

#include "hlo/decoder/step_context.hpp"

namespace ganglion::hlo {

/// The rank's part of the sums over all experts, f32 [T, H], from the layer's
/// normed input [T, H].
value mixture_branch(step_context &c, const std::string &prefix, value x);

} // namespace ganglion::hlo
