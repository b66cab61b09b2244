// The JSON of TGI's answers.
#pragma once

#include "apps/serving/generation_result.hpp"
#include "apps/tgi/tgi_call.hpp"

#include <span>
#include <string>

namespace ganglion::apps {

/// {"generated_text"}, with "details" if asked for. The first of `results`,
/// which are not empty, is the answer, the others are "best_of_sequences".
std::string tgi_answer_text(const tgi_call &call,
                            std::span<const generation_result> results);

/// The object of a streamed token, the `index`-th from 1.
std::string tgi_token_text(const tgi_call &call, std::int64_t index,
                           const runtime::generated_token &token);

/// The object of the last token of a stream, if there is one, with the text
/// and "details" if asked for.
std::string tgi_last_text(const tgi_call &call, const generation_result &result,
                          const runtime::generated_token *token);

} // namespace ganglion::apps
