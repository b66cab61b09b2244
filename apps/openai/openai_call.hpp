// A request body of the OpenAI routes, read and checked: what to generate and
// how the answer shall look.
#pragma once

#include "apps/openai/tool_fields.hpp"
#include "runtime/chat/value.hpp"
#include "runtime/generation/generation_request.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ganglion::apps {

enum class openai_route : unsigned { completions = 1, chat = 2 };

struct openai_call {
  openai_route route = openai_route::completions;
  std::string model; ///< empty: the one there is
  /// What all sequences have in common.
  runtime::generation_request request;
  /// Each has `prompt` or `prompt_ids`; of a chat the one that its template
  /// makes.
  std::vector<runtime::generation_request> prompts;
  /// Of a chat: a list of dictionaries, and more variables for the template.
  runtime::chat::value messages;
  std::vector<std::pair<std::string, runtime::chat::value>> variables;
  offered_tools tools;
  bool add_generation_prompt = true;
  std::int64_t n = 1;       ///< choices for each prompt
  std::int64_t best_of = 0; ///< sequences to choose them from; 0: `n`
  bool stream = false;
  bool include_usage = false; ///< as the last chunk of a stream
  bool timings = false;       ///< where the time went, with the end
  bool echo = false;          ///< the prompt before the text
  bool logprobs = false;      ///< of a chat

  bool wants_logprobs() const {
    return route == openai_route::chat ? logprobs
                                       : request.top_logprobs.has_value();
  }
  /// The sequences of one prompt.
  std::size_t tries() const {
    return static_cast<std::size_t>(best_of > 0 ? best_of : n);
  }
};

/// Reads the body of `route`. Throws `corrupt_data` for what is no JSON,
/// `invalid_argument` naming a field that is unknown or has a bad value, and
/// `unsupported` for a field of the interface that this build does not
/// implement and whose value asks for something.
openai_call parse_openai_call(openai_route route, std::string_view body);

/// The sequences of a call, those of a prompt one after the other. With a seed
/// each of them has its own, counted up from it.
std::vector<runtime::generation_request> sequences_of(const openai_call &call);

} // namespace ganglion::apps
