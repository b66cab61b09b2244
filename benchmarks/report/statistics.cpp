#include "benchmarks/report/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::benchmarks {

double percentile(std::vector<double> samples, double share) {
  if (samples.empty())
    return 0;
  std::ranges::sort(samples);
  const double at = share * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, samples.size() - 1);
  const double part = at - static_cast<double>(below);
  return samples[below] + part * (samples[above] - samples[below]);
}

figure summarise(std::vector<double> samples) {
  figure out;
  out.samples = samples.size();
  if (samples.empty())
    return out;
  const auto [low, high] = std::ranges::minmax(samples);
  out.low = low;
  out.high = high;
  out.median = percentile(samples, 0.5);
  for (double &s : samples)
    s = std::abs(s - out.median);
  out.deviation = percentile(std::move(samples), 0.5);
  return out;
}

std::vector<double> inverted(std::vector<double> samples, double scale) {
  for (double &s : samples)
    s = s > 0 ? scale / s : 0;
  return samples;
}

} // namespace ganglion::benchmarks
