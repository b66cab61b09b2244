// Time as a dependency: everything that waits or stamps asks a clock it was
// given, so that tests can move time by hand.
#pragma once

#include <atomic>
#include <chrono>

namespace ganglion {

using time_point = std::chrono::steady_clock::time_point;
using duration = std::chrono::steady_clock::duration;

/// A source of monotonic time. Any thread may call `now`.
class clock {
public:
  virtual ~clock() = default;
  virtual time_point now() const = 0;
};

/// The machine's steady clock.
class steady_clock final : public clock {
public:
  time_point now() const override { return std::chrono::steady_clock::now(); }
};

/// A clock that stands still until a test moves it.
class manual_clock final : public clock {
public:
  time_point now() const override {
    return time_point(duration(ticks_.load(std::memory_order_relaxed)));
  }
  void advance(duration by) {
    ticks_.fetch_add(by.count(), std::memory_order_relaxed);
  }

private:
  std::atomic<duration::rep> ticks_{0};
};

} // namespace ganglion
