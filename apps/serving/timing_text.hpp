// Times of a request in answers and in the log.
#pragma once

#include "runtime/generation/generation_event.hpp"
#include "runtime/json/writer.hpp"

namespace ganglion::apps {

/// The longest of each: of sequences that ran side by side.
runtime::request_timing longest(const runtime::request_timing &a,
                                const runtime::request_timing &b);

/// Whole microseconds, as milliseconds.
double milliseconds(duration time);

/// New tokens over the whole time; 0 for no time at all.
double tokens_per_second(const runtime::request_timing &timing,
                         std::int64_t new_tokens);

/// "queue_ms", "ttft_ms", "total_ms" and "tokens_per_second".
void write_timing_members(json::writer &out,
                          const runtime::request_timing &timing,
                          std::int64_t new_tokens);

/// The member "timings" of an answer: an object of those.
void write_timings(json::writer &out, const runtime::request_timing &timing,
                   std::int64_t new_tokens);

} // namespace ganglion::apps
