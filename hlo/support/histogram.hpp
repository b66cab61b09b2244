// Counts how values spread: written by many threads at the cost of relaxed
// additions, read at any time.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace ganglion {

/// What a histogram held when it was read.
struct histogram_reading {
  std::vector<double> bounds; ///< ascending, each the end of its bucket
  /// Of each bucket, and of what exceeds the last bound.
  std::vector<std::uint64_t> counts;
  double sum = 0;

  std::uint64_t count() const {
    std::uint64_t all = 0;
    for (const auto n : counts)
      all += n;
    return all;
  }
};

/// Seconds in buckets. Any thread.
class histogram {
public:
  static constexpr std::size_t most_bounds = 24;

  /// At most `most_bounds` seconds, ascending.
  histogram(std::initializer_list<double> bounds) : size_(bounds.size()) {
    std::copy(bounds.begin(), bounds.end(), bounds_.begin());
  }

  /// Never blocks or allocates.
  void observe(std::chrono::nanoseconds value) noexcept {
    const double seconds = std::chrono::duration<double>(value).count();
    const double *begin = bounds_.data();
    const auto bucket = static_cast<std::size_t>(
        std::lower_bound(begin, begin + size_, seconds) - begin);
    counts_[bucket].fetch_add(1, std::memory_order_relaxed);
    nanoseconds_.fetch_add(value.count(), std::memory_order_relaxed);
  }

  histogram_reading read() const {
    histogram_reading out;
    out.bounds.assign(bounds_.begin(), bounds_.begin() + size_);
    for (std::size_t i = 0; i <= size_; ++i)
      out.counts.push_back(counts_[i].load(std::memory_order_relaxed));
    out.sum =
        static_cast<double>(nanoseconds_.load(std::memory_order_relaxed)) *
        1e-9;
    return out;
  }

private:
  std::array<double, most_bounds> bounds_{};
  std::size_t size_;
  std::array<std::atomic<std::uint64_t>, most_bounds + 1> counts_{};
  std::atomic<std::int64_t> nanoseconds_{0};
};

} // namespace ganglion
