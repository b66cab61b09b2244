// Robust statistics of repeated measurements: medians with spread, because one
// disturbed sample moves a mean as far as it likes.
#pragma once

#include <cstddef>
#include <vector>

namespace ganglion::benchmarks {

/// The middle of some samples and how far they lie apart.
struct figure {
  double median = 0, low = 0, high = 0;
  /// Median absolute deviation from the median.
  double deviation = 0;
  std::size_t samples = 0;
};

/// Of no samples: all zeros.
figure summarise(std::vector<double> samples);

/// The value that `share` (0..1) of the samples do not exceed, between
/// neighbours by interpolation. 0 without samples.
double percentile(std::vector<double> samples, double share);

/// `scale` / x for every sample: times to rates.
std::vector<double> inverted(std::vector<double> samples, double scale);

} // namespace ganglion::benchmarks
