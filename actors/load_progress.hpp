// Adds up what several loading threads report and tells an observer, one call
// at a time and only when a whole percent has been done.
#pragma once

#include "actors/engine.hpp"

#include <memory>
#include <mutex>

namespace ganglion::actors {

/// Any thread.
class load_progress_meter {
public:
  load_progress_meter(load_observer observer, std::string phase,
                      std::size_t total_bytes)
      : observer_(std::move(observer)),
        phase_(std::move(phase)),
        total_(total_bytes) {}

  void add(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    done_ += bytes;
    const int percent =
        total_ == 0 ? 100
                    : static_cast<int>(100.0 * static_cast<double>(done_) /
                                       static_cast<double>(total_));
    if (!observer_ || percent <= reported_)
      return;
    reported_ = percent;
    observer_({phase_, std::min(1.0, percent / 100.0)});
  }

private:
  std::mutex mutex_;
  load_observer observer_;
  std::string phase_;
  std::size_t total_, done_ = 0;
  int reported_ = -1;
};

} // namespace ganglion::actors
