#include "apps/serving/timing_text.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::apps {

runtime::request_timing longest(const runtime::request_timing &a,
                                const runtime::request_timing &b) {
  return {std::max(a.queued, b.queued), std::max(a.first_token, b.first_token),
          std::max(a.total, b.total)};
}

double milliseconds(duration time) {
  return static_cast<double>(
             std::chrono::duration_cast<std::chrono::microseconds>(time)
                 .count()) /
         1000;
}

double tokens_per_second(const runtime::request_timing &timing,
                         std::int64_t new_tokens) {
  const double seconds = std::chrono::duration<double>(timing.total).count();
  if (seconds <= 0)
    return 0;
  return std::round(static_cast<double>(new_tokens) / seconds * 100) / 100;
}

void write_timing_members(json::writer &out,
                          const runtime::request_timing &timing,
                          std::int64_t new_tokens) {
  out.key("queue_ms").real(milliseconds(timing.queued));
  out.key("ttft_ms").real(milliseconds(timing.first_token));
  out.key("total_ms").real(milliseconds(timing.total));
  out.key("tokens_per_second").real(tokens_per_second(timing, new_tokens));
}

void write_timings(json::writer &out, const runtime::request_timing &timing,
                   std::int64_t new_tokens) {
  out.key("timings").begin_object();
  write_timing_members(out, timing, new_tokens);
  out.end_object();
}

} // namespace ganglion::apps
