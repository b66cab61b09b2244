// What is noted of a request that generated: for its line in the log.
#pragma once

#include "runtime/generation/generation_event.hpp"

#include <algorithm>
#include <string>

namespace ganglion::apps {

/// Sums up all sequences of a call. No text of prompts or answers.
class generation_record {
public:
  void take(const runtime::generation_event &event);
  /// Instead of a finish reason.
  void note_failure(error_code code) { end_ = to_string(code); }
  void note_cancelled() { end_ = "cancelled"; }

  /// "finish_reason": ..., counts and times; members without braces.
  std::string members() const;

private:
  std::string_view end_;
  std::int64_t prompt_tokens_ = 0, cached_tokens_ = 0, new_tokens_ = 0;
  runtime::request_timing timing_; ///< the longest of each
};

} // namespace ganglion::apps
