// Events of one request, handed from the engine's threads to the command's.
#pragma once

#include "runtime/generation/generation_event.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace ganglion::apps {

class event_queue final : public runtime::event_sink {
public:
  /// While `cancelled` is true, which another thread or a signal may decide,
  /// events are refused, and with that the request cancelled.
  explicit event_queue(const std::atomic<bool> &cancelled)
      : cancelled_(cancelled) {}

  bool push(runtime::generation_event event) override {
    const std::lock_guard lock(mutex_);
    events_.push_back({std::move(event), steady_clock().now()});
    filled_.notify_one();
    return !cancelled_;
  }

  struct entry {
    runtime::generation_event event;
    time_point arrived;
  };
  /// Waits for the next event.
  entry pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !events_.empty(); });
    auto out = std::move(events_.front());
    events_.pop_front();
    return out;
  }

private:
  const std::atomic<bool> &cancelled_;
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<entry> events_;
};

/// Throws what a request ended with, if it failed.
inline void throw_if_failed(const runtime::generation_event &event) {
  if (event.failed)
    throw error(event.code, event.message, "request", event.field);
}

} // namespace ganglion::apps
