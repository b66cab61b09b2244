// Rotary position embedding (Su et al. 2021): the table of one step and its
// application to queries or keys.
#pragma once

#include "hlo/composite.hpp"

namespace ganglion::hlo {

/// Cosines and sines of position * frequency: `positions` s32 [T],
/// `frequencies` f32 [D] -> f32 [T, 2, D]. The angle is rounded to f32, as
/// HuggingFace's rotary modules do; `scale` multiplies both (yarn).
value rotary_table(builder &b, value positions, value frequencies,
                   double scale);

/// Rotates the first 2 D elements of every head, pairs (i, i + D) as
/// HuggingFace's rotate_half; the rest passes through. `x` f32 [T, heads *
/// d], `table` f32 [T, 2, D] -> `out` [T, heads, d].
value rotary(builder &b, value x, value table, std::int64_t heads,
             element_type out);

/// The same shape change and rounding without rotation, for models with other
/// position schemes: `x` f32 [T, heads * d] -> `out` [T, heads, d].
value split_heads(builder &b, value x, std::int64_t heads, element_type out);

} // namespace ganglion::hlo
