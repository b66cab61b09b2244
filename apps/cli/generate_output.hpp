// What `ganglion generate` prints: text as it comes, one object at the end,
// and a line about speed.
#pragma once

#include "hlo/support/clock.hpp"
#include "runtime/generation/generation_event.hpp"

#include <string>
#include <vector>

namespace ganglion::apps {

/// A request's tokens with the times at which they came.
class generation_record {
public:
  explicit generation_record(time_point submitted) : submitted_(submitted) {}

  /// Notes an event; returns its text.
  std::string add(const runtime::generation_event &event, time_point arrived);

  /// {"prompt_ids", "ids", "logprobs", "text", "finish_reason", "timing"}, and
  /// "top_logprobs" and "prompt" where they were asked for, "guesses" where
  /// there were any.
  std::string json(const std::vector<std::int32_t> &prompt_ids) const;
  /// "5 prompt tokens, 200 new tokens (length), ...".
  std::string summary() const;
  runtime::finish_reason finish() const { return finish_; }

private:
  double first_token_seconds() const;
  double decode_seconds() const;
  double prefill_rate() const;
  double decode_rate() const;
  std::string guesses_text() const;

  time_point submitted_, first_{}, last_{};
  std::vector<std::int32_t> ids_;
  std::vector<float> logprobs_;
  std::vector<std::vector<runtime::token_alternative>> top_;
  std::vector<runtime::generated_token> prompt_;
  std::string text_;
  std::int64_t prompt_tokens_ = 0;
  runtime::guess_counts guesses_;
  runtime::finish_reason finish_ = runtime::finish_reason::none;
};

} // namespace ganglion::apps
