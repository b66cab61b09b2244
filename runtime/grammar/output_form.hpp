// The form that a request wants its text in.
#pragma once

#include "runtime/chat/tool_syntax.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// What kind of thing describes the text.
enum class output_kind : std::uint8_t {
  json,        ///< `text` is a JSON schema
  json_object, ///< any JSON object
  regex,       ///< `text` matches as a whole
  choice,      ///< one of `choices`
  grammar,     ///< `text` is EBNF with a rule "root"
  tool_calls,  ///< calls of `tools`, as a chat template's `syntax` has them
};

/// A tool that may be called, and the JSON schema of its arguments; empty: any
/// object.
struct output_tool {
  std::string name, parameters;
  bool operator==(const output_tool &) const = default;
};

/// docs/structured_output.md says what each kind accepts.
struct output_form {
  output_kind kind = output_kind::json_object;
  std::string text = {};
  std::vector<std::string> choices = {};
  std::vector<output_tool> tools = {};
  tool_syntax syntax = tool_syntax::none;
  bool several = false; ///< more than one call
  bool operator==(const output_form &) const = default;
};

} // namespace ganglion::runtime
