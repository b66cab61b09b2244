#include "neuron/compiler/schedule.hpp"

#include <algorithm>

namespace ganglion::neuron {

namespace {

/// What one call touches under a way of running.
std::vector<memory_use> uses_of(const scheduled_call &call, row_mode mode) {
  std::vector<memory_use> out = call.uses;
  if (mode == row_mode::shared)
    return out;
  // Each member has local values for itself.
  std::erase_if(out, [](const memory_use &u) {
    return u.where.where == buffer_ref::place::local;
  });
  if (call.repeatable)
    for (memory_use &u : out)
      u.by = {};
  return out;
}

bool clash(const std::vector<memory_use> &earlier,
           const std::vector<memory_use> &now, std::int64_t members) {
  return std::any_of(now.begin(), now.end(), [&](const memory_use &use) {
    return std::any_of(
        earlier.begin(), earlier.end(),
        [&](const memory_use &other) { return clash(other, use, members); });
  });
}

} // namespace

void plan_meetings(const std::vector<scheduled_call> &uses,
                   std::vector<kernel_call> &calls) {
  for (const row_mode mode : {row_mode::shared, row_mode::repeated})
    for (int members = 2; members <= most_planned_members; ++members) {
      std::vector<memory_use> since; // the last meeting
      for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto now = uses_of(uses[i], mode);
        if (clash(since, now, members)) {
          calls[i].meets.add(mode, members);
          since.clear();
        }
        since.insert(since.end(), now.begin(), now.end());
      }
    }
}

} // namespace ganglion::neuron
