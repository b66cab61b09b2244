// Server-sent events.
#pragma once

#include <string>
#include <string_view>

namespace ganglion::apps {

inline constexpr std::string_view event_stream_type = "text/event-stream";

/// One event; `data` has no line breaks.
inline std::string stream_event(std::string_view data) {
  return "data: " + std::string(data) + "\n\n";
}

} // namespace ganglion::apps
