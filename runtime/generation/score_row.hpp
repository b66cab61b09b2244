// The scores of one row of logits with the maxima of its blocks, which make
// finding the highest of them cheap.
#pragma once

#include "neuron/kernels/kernels.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ganglion::runtime {

struct scored_candidate {
  float score = 0;
  std::int32_t token = 0;
};

/// The higher score comes first; the lower token among equals.
inline bool comes_before(const scored_candidate &a, const scored_candidate &b) {
  return a.score != b.score ? a.score > b.score : a.token < b.token;
}

/// A view of [vocabulary] scores, none of them NaN, and the maximum of every
/// `neuron::scan_block` of them.
struct score_row {
  std::span<const float> scores, block_max;

  /// The lowest token with the highest score.
  std::int32_t argmax() const;

  /// The tokens that score at least as much as the `count`-th best, in no
  /// order: `count` of them, or more where scores tie. `into` has room for the
  /// vocabulary and `maxima` for the blocks.
  std::span<scored_candidate> best(std::size_t count,
                                   std::span<scored_candidate> into,
                                   std::span<float> maxima) const;
};

} // namespace ganglion::runtime
