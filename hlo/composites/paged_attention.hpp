// Causal attention of a flat list of rows over the paged key/value cache.
#pragma once

#include "hlo/composite.hpp"

namespace ganglion::hlo {

/// What the rows attend to; all s32.
struct attention_inputs {
  value last_seen;       ///< [T] the last position a row sees, its own; or -1
  value row_slots;       ///< [T] the sequence slot of each row
  value block_tables;    ///< [S, B] block numbers of each slot, in order
  value context_lengths; ///< [S] positions written so far, this step included
};

/// What a row sees and how its scores are biased.
struct attention_rules {
  double scale = 1.0; ///< multiplies the products of queries and keys
  /// Only the last `window` positions, the row's own included; 0: all.
  std::int64_t window = 0;
  /// Of keys and values that are s8: f32 [blocks, kv heads, P] each, or null.
  value key_scales = nullptr, value_scales = nullptr;
  /// f32 [heads], or null: adds slope * j to the score of position j (ALiBi,
  /// Press et al. 2022; a softmax does not see a shift by the row's own
  /// position).
  value slopes = nullptr;
};

/// A row that sees nothing gets zeros.
///
/// Row t sees positions j <= last_seen[t], j < context_lengths[slot of t] and,
/// with a window, j > last_seen[t] - window.
/// `query` [T, heads, d], `keys` [blocks, kv heads, d, P], `values` [blocks,
/// kv heads, P, d] of one type -> `out` [T, heads * d]; keys and values may be
/// s8 with scales instead, which multiply the scores and the weights of the
/// values. Scores, softmax and the weighted sum are f32 (Kwon et al. 2023;
/// HuggingFace eager attention). heads must be a multiple of kv heads.
value paged_attention(builder &b, value query, value keys, value values,
                      const attention_inputs &in, const attention_rules &rules,
                      element_type out);

/// The same before the division, for ranks that keep a part of the positions
/// each: f32 [T, heads * (d + 2)], for every head the sum of exp(score - top)
/// * value, then top, then the sum of exp(score - top). A row that sees nothing
/// has zeros and a top of -1e30.
value paged_attention_part(builder &b, value query, value keys, value values,
                           const attention_inputs &in,
                           const attention_rules &rules);

/// `parts` f32 [T, count * heads * (d + 2)], part after part -> `out` [T,
/// heads * d], as if all positions had been seen at once (Dao et al. 2023,
/// flash decoding). Parts are added in order.
value merge_attention(builder &b, value parts, std::int64_t heads,
                      std::int64_t count, element_type out);

} // namespace ganglion::hlo
