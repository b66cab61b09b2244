// The fields of a chat that offer tools to the model.
#pragma once

#include "runtime/chat/tool_syntax.hpp"
#include "runtime/chat/value.hpp"
#include "runtime/generation/generation_request.hpp"
#include "runtime/json/reader.hpp"

#include <string>
#include <vector>

namespace ganglion::apps {

enum class tool_choice : std::uint8_t {
  automatic, ///< the model says
  none,
  required,
  named, ///< one tool
};

/// What may be called.
struct offered_tools {
  runtime::chat::value for_template; ///< the list as the client wrote it
  std::vector<runtime::output_tool> tools;
  tool_choice choice = tool_choice::automatic;
  std::string named;
  bool several = true; ///< more than one call in an answer
  /// How the model writes calls, once its template is known.
  runtime::tool_syntax syntax = runtime::tool_syntax::none;
  /// Special tokens are no part of the content. They are part of the text
  /// that calls are looked for in.
  bool hides_special_tokens = true;

  /// Whether the model hears of tools and its text is searched for calls.
  bool active() const { return !tools.empty() && choice != tool_choice::none; }
};

void set_tools(offered_tools &to, const json::value &v);
void set_tool_choice(offered_tools &to, const json::value &v);

/// Throws `invalid_argument` naming the field where the fields of one request
/// contradict each other.
void check_tools(const offered_tools &tools,
                 const runtime::generation_request &request);

/// Prepares a request whose model writes calls like this: where one must be
/// written, as the form of its text. Throws `unsupported` naming "tools" for
/// `none`.
void use_tools(offered_tools &tools, runtime::tool_syntax syntax,
               runtime::generation_request &request);

} // namespace ganglion::apps
