// The bytes of answers in the LMI contract, in the style of Python's
// json.dumps with ensure_ascii=False.
#pragma once

#include "apps/lmi/invocation.hpp"
#include "runtime/generation/generation_event.hpp"

#include <string>

namespace ganglion::apps {

/// What has been generated for a request.
struct generation_result {
  std::string text;
  /// Empty unless details are wanted in one piece.
  std::vector<runtime::generated_token> tokens;
  /// The prompt's, if they are wanted.
  std::vector<runtime::generated_token> prompt;
  std::int64_t generated_tokens = 0;
  runtime::finish_reason finish = runtime::finish_reason::none;
};

/// {"generated_text": ...}, with "details" if asked for; no newline.
std::string whole_answer(const invocation &call,
                         const generation_result &result);

/// {"token": ...}, with "top_tokens" if asked for, and a newline.
std::string token_line(const invocation &call,
                       const runtime::generated_token &token);

/// The line that ends a stream: the last token, if there is one, the text and
/// "details" if asked for.
std::string last_line(const invocation &call, const generation_result &result,
                      const runtime::generated_token *token);

/// The shortest decimal form that reads back as the same float.
std::string float_text(float value);

} // namespace ganglion::apps
