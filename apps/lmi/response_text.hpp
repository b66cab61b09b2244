// The bytes of answers in the LMI contract, in the style of Python's
// json.dumps with ensure_ascii=False.
#pragma once

#include "apps/lmi/invocation.hpp"
#include "apps/serving/generation_result.hpp"

#include <string>

namespace ganglion::apps {

/// {"generated_text": ...}, with "details" if asked for; no newline.
std::string whole_answer(const invocation &call,
                         std::span<const generation_result> results);

/// {"token": ...}, with "top_tokens" if asked for, and a newline.
std::string token_line(const invocation &call,
                       const runtime::generated_token &token);

/// The line that ends a stream: the last token, if there is one, the text and
/// "details" if asked for.
std::string last_line(const invocation &call, const generation_result &result,
                      const runtime::generated_token *token);

} // namespace ganglion::apps
