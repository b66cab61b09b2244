#include "runtime/generation/warpers.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime {

namespace {

/// The standard deviation of the scores that are not -infinite.
double deviation(std::span<const float> scores, float top) {
  double sum = 0, squares = 0, count = 0;
  for (const float x : scores) {
    if (x == -INFINITY)
      continue;
    const double off = double(x) - top;
    sum += off;
    squares += off * off;
    ++count;
  }
  const double mean = sum / count;
  return std::sqrt(std::max(0.0, squares / count - mean * mean));
}

weighted_row temperature_and_top_k(const neuron::kernel_set &kernels,
                                   const weighing_scratch &scratch,
                                   const score_row &scores, float top,
                                   std::span<float> maxima,
                                   const sampling_parameters &p) {
  const auto k = static_cast<std::size_t>(p.top_k);
  if (k == 0 || k >= scores.scores.size())
    return {kernels, scratch, scores.scores, top, p.temperature};
  return {kernels, scratch, scores.best(k, scratch.candidates, maxima),
          p.temperature};
}

void typical(weighted_row &row, double share) {
  // |-log p - entropy| is how far a score is from this one.
  const double centre = row.top() + std::log(row.mass()) - row.entropy();
  row.keep_nearest(static_cast<float>(centre), share, true);
}

/// Keeps what is at least as likely as `least`, and the likeliest.
void keep_likely(weighted_row &row, double least) {
  const double radius = -std::log(least * row.mass());
  const float needed = row.top() - row.highest();
  row.keep_within(row.top(), std::max(needed, static_cast<float>(radius)));
}

} // namespace

weighted_row warped(const neuron::kernel_set &kernels,
                    const weighing_scratch &scratch, const score_row &scores,
                    std::span<float> maxima, const sampling_parameters &p) {
  const float top = std::ranges::max(scores.block_max);
  double sigma = 0;
  if (p.top_n_sigma > 0)
    sigma = deviation(scores.scores, top) / p.temperature;
  auto row = temperature_and_top_k(kernels, scratch, scores, top, maxima, p);
  if (p.top_p < 1)
    row.keep_nearest(row.top(), p.top_p, false);
  if (p.min_p > 0)
    row.keep_within(row.top(), -std::log(p.min_p));
  if (p.typical_p < 1)
    typical(row, p.typical_p);
  if (p.epsilon_cutoff > 0)
    keep_likely(row, p.epsilon_cutoff);
  if (p.eta_cutoff > 0)
    keep_likely(row,
                std::min(double(p.eta_cutoff), std::sqrt(double(p.eta_cutoff)) *
                                                   std::exp(-row.entropy())));
  if (p.top_n_sigma > 0)
    row.keep_within(row.top(),
                    std::max(row.top() - row.highest(),
                             static_cast<float>(p.top_n_sigma * sigma)));
  return row;
}

} // namespace ganglion::runtime
