// What a client hears of its request: tokens as they come, and how it ended.
#pragma once

#include "hlo/support/clock.hpp"
#include "hlo/support/error.hpp"
#include "runtime/generation/finish_reason.hpp"
#include "runtime/generation/guess_counts.hpp"
#include "runtime/generation/request_id.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// A token that might have come.
struct token_alternative {
  std::int32_t id = 0;
  std::string text; ///< as it reads inside a text
  float logprob = 0;
  std::string bytes = {}; ///< where they are no UTF-8, else empty
};

struct generated_token {
  std::int32_t id = 0;
  /// Text that became final with this token; pieces of all tokens together
  /// are the whole text, minus a stop string.
  std::string text;
  float logprob = 0;
  bool special = false;
  /// The likeliest tokens, as many as the request asks for, the likeliest
  /// first; the lower id among equals.
  std::vector<token_alternative> top = {};
  /// The token's own bytes where they are no UTF-8, else empty.
  std::string bytes = {};
};

/// Where the time of a request went, from its submission.
struct request_timing {
  duration queued{};      ///< to the first step that computes some of it
  duration first_token{}; ///< zero if there was none
  duration total{};       ///< to this event
};

/// Any number of token events of each choice, then exactly one that ends the
/// choice: with `finish` set. Or one, `failed`, that ends the request.
struct generation_event {
  request_id request = 0;
  std::int32_t choice = 0;       ///< which of the request's
  std::int32_t open_choices = 0; ///< with `finish`: those still running
  std::vector<generated_token> tokens;
  /// The tokens of the prompt, in the first event with tokens or the last one,
  /// if `prompt_logprobs` was set. The first has no log-probability: NaN.
  std::vector<generated_token> prompt;

  /// Set in the last event of a choice. `text` then holds what was still held
  /// back after the last token.
  finish_reason finish = finish_reason::none;
  std::string text;
  std::int64_t prompt_tokens = 0, generated_tokens = 0;
  /// Of the prompt's tokens, those that an earlier request had computed.
  std::int64_t cached_tokens = 0;
  guess_counts guesses; ///< of the choice's tokens (speculation)
  /// In the last event of a choice that is a beam: the sum of its
  /// log-probabilities over its length to the power of `length_penalty`.
  std::optional<double> beam_score;
  request_timing timing; ///< set in the last event of a choice or request
  /// In the last event of the choice, if prompt logits were asked for: [prompt,
  /// vocabulary].
  std::shared_ptr<const std::vector<float>> logits;

  /// Set in the last event of a request that could not be served.
  bool failed = false;
  error_code code = error_code::internal;
  std::string message, field;

  bool ends_choice() const { return finish != finish_reason::none; }
  /// No other event of the request follows.
  bool last() const { return failed || (ends_choice() && open_choices == 0); }
};

/// Where events go. `push` may be called from any thread but never by two at
/// once for one request; it must not block. Returning false cancels the
/// request.
class event_sink {
public:
  virtual ~event_sink() = default;
  virtual bool push(generation_event event) = 0;
};

} // namespace ganglion::runtime
