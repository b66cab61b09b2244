// The four forms of a completion's prompt: a text, a list of texts, token ids,
// a list of lists of token ids.
#pragma once

#include "apps/openai/openai_call.hpp"
#include "runtime/json/reader.hpp"

namespace ganglion::apps {

/// Replaces the prompts of `call`. Throws `invalid_argument` for an empty list
/// and for lists of mixed kinds, naming the item.
void set_prompt(openai_call &call, const json::value &v);

} // namespace ganglion::apps
