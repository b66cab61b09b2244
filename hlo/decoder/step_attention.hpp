// The attention of one layer in a step graph, in each of the ways of placing
// keys and values over the ranks.
#pragma once

#include "hlo/decoder/step_context.hpp"

namespace ganglion::hlo {

/// Cosines and sines of this step's rows, or null for models without rotary
/// positions: shared by all layers.
value rotary_angles(step_context &c);

/// The rank's query heads of layer `i`, [T, heads * d] of the context's type,
/// from its normed input [T, H]. Writes the layer's caches.
value attention_branch(step_context &c, std::int64_t i,
                       const std::string &prefix, value x, value angles);

} // namespace ganglion::hlo
