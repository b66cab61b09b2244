// Where actors publish the engine's status and anyone may read it or wait for
// a change, without a message.
#pragma once

#include "actors/engine.hpp"
#include "neuron/collectives/communicator.hpp"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace ganglion::actors {

/// Shared by the engine's actors and its facade. Any thread.
class status_board {
public:
  template <class F>
  void update(F change) {
    {
      const std::lock_guard lock(mutex_);
      change(status_, active_);
    }
    changed_.notify_all();
  }

  /// A request ended; counted once for each.
  void note_end(request_end end) {
    update([&](engine_status &s, std::size_t &) {
      ++s.finished[static_cast<std::size_t>(end)];
    });
  }

  engine_metrics &metrics() { return metrics_; }

  engine_status read() const {
    const std::lock_guard lock(mutex_);
    engine_status s = status_;
    // One that has just ended may still have its place.
    s.running_requests =
        std::min(s.running_requests, s.accepted - s.ended_requests());
    if (group_) {
      const auto &counters = group_->statistics();
      s.all_reduces = counters.all_reduces;
      s.all_gathers = counters.all_gathers;
      s.collective_floats = counters.floats;
    }
    return s;
  }

  /// The communicator whose counters are part of the status.
  void set_group(std::shared_ptr<const neuron::communicator> group) {
    const std::lock_guard lock(mutex_);
    group_ = std::move(group);
  }

  void set_model(std::shared_ptr<const runtime::loaded_model> model) {
    const std::lock_guard lock(mutex_);
    model_ = std::move(model);
  }
  std::shared_ptr<const runtime::loaded_model> model() const {
    const std::lock_guard lock(mutex_);
    return model_;
  }

  /// Blocks until loading has ended either way.
  engine_status wait_loaded() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return status_.state != engine_state::loading; });
    return status_;
  }

  /// Blocks until no request is active and the scheduler holds none, at most
  /// for `limit` of real time.
  bool wait_idle(duration limit) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, [&] {
      return active_ == 0 && status_.running + status_.waiting == 0;
    });
  }

  /// Shards count themselves, so that an end can be waited for and a thread
  /// that is stuck can be told.
  void count_shards(int change) {
    {
      const std::lock_guard lock(mutex_);
      shards_ += change;
    }
    changed_.notify_all();
  }
  int shards() const {
    const std::lock_guard lock(mutex_);
    return shards_;
  }
  /// Blocks until no shard is left, at most for `limit` of real time.
  bool wait_shards_ended(duration limit) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, [&] { return shards_ == 0; });
  }

private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  engine_status status_;
  engine_metrics metrics_;
  std::shared_ptr<const neuron::communicator> group_;
  std::shared_ptr<const runtime::loaded_model> model_;
  std::size_t active_ = 0; ///< requests accepted and not ended
  int shards_ = 0;         ///< shard actors alive
};

} // namespace ganglion::actors
