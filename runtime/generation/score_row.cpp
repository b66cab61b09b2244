#include "runtime/generation/score_row.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ganglion::runtime {

namespace {

constexpr auto block = static_cast<std::size_t>(neuron::scan_block);

} // namespace

std::int32_t score_row::argmax() const {
  const auto top = std::max_element(block_max.begin(), block_max.end());
  const auto first = static_cast<std::size_t>(top - block_max.begin()) * block;
  const auto last = std::min(first + block, scores.size());
  std::size_t i = first;
  while (i + 1 < last && scores[i] != *top)
    ++i;
  return static_cast<std::int32_t>(i);
}

std::span<scored_candidate> score_row::best(std::size_t count,
                                            std::span<scored_candidate> into,
                                            std::span<float> maxima) const {
  // The count-th highest maximum of a block bounds the count-th highest score
  // from below: that many blocks have one as high.
  float bound = -INFINITY;
  if (count <= block_max.size()) {
    std::copy(block_max.begin(), block_max.end(), maxima.begin());
    const auto place = maxima.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    std::nth_element(maxima.begin(), place,
                     maxima.begin() +
                         static_cast<std::ptrdiff_t>(block_max.size()),
                     std::greater<>());
    bound = *place;
  }
  std::size_t found = 0;
  for (std::size_t b = 0; b < block_max.size(); ++b) {
    if (block_max[b] < bound)
      continue;
    const auto last = std::min((b + 1) * block, scores.size());
    for (std::size_t i = b * block; i < last; ++i)
      if (scores[i] >= bound)
        into[found++] = {scores[i], static_cast<std::int32_t>(i)};
  }
  const auto all = into.first(found);
  if (count >= found)
    return all;
  const auto nth = all.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::nth_element(all.begin(), nth, all.end(), comes_before);
  const float lowest = nth->score;
  const auto end =
      std::partition(nth + 1, all.end(), [&](const scored_candidate &c) {
        return c.score == lowest;
      });
  return all.first(static_cast<std::size_t>(end - all.begin()));
}

} // namespace ganglion::runtime
