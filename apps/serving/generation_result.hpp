// What has been generated for a sequence so far.
#pragma once

#include "runtime/generation/generation_event.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ganglion::apps {

struct generation_result {
  std::string text;
  /// Empty unless they are wanted in one piece.
  std::vector<runtime::generated_token> tokens;
  /// The prompt's, if they are wanted.
  std::vector<runtime::generated_token> prompt;
  std::int64_t prompt_tokens = 0, generated_tokens = 0;
  runtime::finish_reason finish = runtime::finish_reason::none;
  runtime::guess_counts guesses; ///< of the tokens (speculation)
  runtime::request_timing timing;
  double logprobs = 0;      ///< the sum of all tokens'
  std::size_t sequence = 0; ///< its number in the call

  /// Of a token, so that longer texts are not worse for being longer.
  double mean_logprob() const {
    return generated_tokens == 0
               ? 0
               : logprobs / static_cast<double>(generated_tokens);
  }
};

/// The shortest decimal form that reads back as the same float; "null" when it
/// is not finite.
std::string float_text(float value);

} // namespace ganglion::apps
