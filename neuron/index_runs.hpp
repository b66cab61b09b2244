// Index maps of a packed weight as runs of neighbours, which are copied whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ganglion::neuron {

/// Places [at, at + count) take the indices from `first` on, or zeros where
/// that is negative.
struct index_run {
  std::int64_t at, first, count;
};

inline std::vector<index_run> runs_of(const std::vector<std::int64_t> &map) {
  std::vector<index_run> out;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(map.size()); ++i) {
    const std::int64_t index = map[i];
    if (!out.empty()) {
      auto &[at, first, count] = out.back();
      if (index < 0 ? first < 0 : first >= 0 && index == first + count) {
        ++count;
        continue;
      }
    }
    out.push_back({i, index, 1});
  }
  return out;
}

/// The parts within [begin, end), counted from `begin`, of the runs that take
/// indices.
inline std::vector<index_run> runs_within(const std::vector<index_run> &runs,
                                          std::int64_t begin,
                                          std::int64_t end) {
  std::vector<index_run> out;
  auto run = std::ranges::upper_bound(runs, begin, {}, &index_run::at);
  for (run -= run != runs.begin(); run != runs.end() && run->at < end; ++run) {
    const auto first = std::max(run->at, begin);
    const auto last = std::min(run->at + run->count, end);
    if (run->first >= 0 && first < last)
      out.push_back(
          {first - begin, run->first + first - run->at, last - first});
  }
  return out;
}

} // namespace ganglion::neuron
