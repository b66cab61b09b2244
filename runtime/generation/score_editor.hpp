// Changes scores of a row and keeps the maxima of its blocks true.
#pragma once

#include "runtime/generation/score_row.hpp"

#include <span>

namespace ganglion::runtime {

/// A view of scratch memory: [vocabulary] scores and the maximum of every
/// `neuron::scan_block` of them.
class score_editor {
public:
  score_editor(std::span<float> scores, std::span<float> block_max)
      : scores_(scores),
        block_max_(block_max) {}

  float at(std::int32_t token) const {
    return scores_[static_cast<std::size_t>(token)];
  }
  void set(std::int32_t token, float score);
  /// The token can no longer be chosen.
  void mask(std::int32_t token);
  /// Only these can be chosen; `scratch` has room for them.
  void mask_all_but(std::span<const std::int32_t> tokens,
                    std::span<scored_candidate> scratch);
  /// Only tokens whose bit is set can be chosen.
  void keep(std::span<const std::uint64_t> allowed);
  /// Masks all and gives `tokens` the score 0.
  void force(std::span<const std::int32_t> tokens);

  score_row row() const { return {scores_, block_max_}; }

private:
  void mask_all();

  std::span<float> scores_, block_max_;
};

} // namespace ganglion::runtime
