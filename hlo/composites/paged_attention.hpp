// Causal attention of a flat list of rows over the paged key/value cache.
#pragma once

#include "hlo/composite.hpp"

namespace ganglion::hlo {

/// What the rows attend to; all s32.
struct attention_inputs {
  value positions;       ///< [T] absolute position of each row
  value row_slots;       ///< [T] the sequence slot of each row
  value block_tables;    ///< [S, B] block numbers of each slot, in order
  value context_lengths; ///< [S] positions written so far, this step included
};

/// What a row sees and how its scores are biased.
struct attention_rules {
  double scale = 1.0; ///< multiplies the products of queries and keys
  /// Only the last `window` positions, the row's own included; 0: all.
  std::int64_t window = 0;
  /// f32 [heads], or null: adds slope * j to the score of position j (ALiBi,
  /// Press et al. 2022; a softmax does not see a shift by the row's own
  /// position).
  value slopes = nullptr;
};

/// Row t sees positions j <= positions[t], j < context_lengths[slot of t] and,
/// with a window, j > positions[t] - window.
/// `query` [T, heads, d], `keys` [blocks, kv heads, d, P], `values` [blocks,
/// kv heads, P, d] of one type -> the same type [T, heads * d]. Scores,
/// softmax and the weighted sum are f32 (Kwon et al. 2023; HuggingFace eager
/// attention). heads must be a multiple of kv heads.
value paged_attention(builder &b, value query, value keys, value values,
                      const attention_inputs &in, const attention_rules &rules);

} // namespace ganglion::hlo
