// The time of day that answers carry.
#pragma once

#include <chrono>
#include <cstdint>

namespace ganglion::apps {

/// Seconds since 1970.
inline std::int64_t unix_time() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

} // namespace ganglion::apps
