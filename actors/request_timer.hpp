// Measures one request, and tells the engine's metrics.
#pragma once

#include "actors/engine_metrics.hpp"
#include "actors/messages.hpp"

#include <optional>
#include <vector>

namespace ganglion::actors {

/// Belongs to one request actor; the metrics outlive it.
class request_timer {
public:
  request_timer(time_point arrived, engine_metrics &metrics)
      : arrived_(arrived),
        metrics_(metrics) {}

  /// A token, or the end, of a choice.
  void note(const sequence_progress &p);
  /// The request ended well, or its client gave it up.
  void note_end(time_point now) { metrics_.whole_time.observe(now - arrived_); }

  runtime::request_timing timing(time_point now) const;

private:
  time_point arrived_;
  engine_metrics &metrics_;
  std::optional<duration> queued_, first_token_;
  std::vector<std::optional<time_point>> last_token_; ///< of each choice
};

} // namespace ganglion::actors
