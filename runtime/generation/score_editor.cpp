#include "runtime/generation/score_editor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ganglion::runtime {

void score_editor::set(std::int32_t token, float score) {
  constexpr auto block = static_cast<std::size_t>(neuron::scan_block);
  const auto place = static_cast<std::size_t>(token);
  const float before = std::exchange(scores_[place], score);
  float &highest = block_max_[place / block];
  if (score >= highest) {
    highest = score;
  } else if (before == highest) {
    const auto mine = scores_.subspan(
        place / block * block,
        std::min(block, scores_.size() - place / block * block));
    highest = *std::max_element(mine.begin(), mine.end());
  }
}

void score_editor::mask(std::int32_t token) { set(token, -INFINITY); }

void score_editor::mask_all() {
  std::fill(scores_.begin(), scores_.end(), -INFINITY);
  std::fill(block_max_.begin(), block_max_.end(), -INFINITY);
}

void score_editor::mask_all_but(std::span<const std::int32_t> tokens,
                                std::span<scored_candidate> scratch) {
  for (std::size_t i = 0; i < tokens.size(); ++i)
    scratch[i] = {at(tokens[i]), tokens[i]};
  mask_all();
  for (const auto &[score, token] : scratch.first(tokens.size()))
    set(token, score);
}

void score_editor::keep(std::span<const std::uint64_t> allowed) {
  constexpr std::size_t block = 64;
  static_assert(neuron::scan_block == block, "a word is a block");
  for (std::size_t b = 0; b < block_max_.size(); ++b) {
    if (allowed[b] == ~std::uint64_t{0})
      continue;
    float highest = -INFINITY;
    const std::size_t end = std::min(scores_.size(), (b + 1) * block);
    for (std::size_t i = b * block; i < end; ++i)
      if (allowed[b] >> (i % block) & 1)
        highest = std::max(highest, scores_[i]);
      else
        scores_[i] = -INFINITY;
    block_max_[b] = highest;
  }
}

void score_editor::force(std::span<const std::int32_t> tokens) {
  mask_all();
  for (const std::int32_t token : tokens)
    set(token, 0.0f);
}

} // namespace ganglion::runtime
