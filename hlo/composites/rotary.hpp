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

/// NTK scaling by the sequence's own length: theta grows as (factor * length /
/// original - (factor - 1)) ^ (d / (d - 2)) with d = 2 `half` once the length
/// exceeds the original one (HuggingFace's `dynamic` rope).
struct dynamic_frequencies {
  double theta = 10000.0, factor = 1.0, original = 0;
  std::int64_t half = 0; ///< rotated pairs
};

/// `rotary_table` with the frequencies of each row's length, in f32: `lengths`
/// s32 [T] -> f32 [T, 2, half].
value dynamic_rotary_table(builder &b, value positions, value lengths,
                           const dynamic_frequencies &f);

/// Which elements of a head turn together.
enum class rotary_pairs {
  halves,      ///< (i, i + D), as HuggingFace's rotate_half
  interleaved, ///< (2 i, 2 i + 1), as its rotate_every_two
};

/// Rotates the first 2 D elements of every head; the rest passes through. `x`
/// f32 [T, heads * d], `table` f32 [T, 2, D] -> `out` [T, heads, d].
value rotary(builder &b, value x, value table, std::int64_t heads,
             rotary_pairs pairs, element_type out);

/// The same shape change and rounding without rotation, for models with other
/// position schemes: `x` f32 [T, heads * d] -> `out` [T, heads, d].
value split_heads(builder &b, value x, std::int64_t heads, element_type out);

} // namespace ganglion::hlo
