// The form that a request wants its text in.
#pragma once

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
};

/// docs/structured_output.md says what each kind accepts.
struct output_form {
  output_kind kind = output_kind::json_object;
  std::string text = {};
  std::vector<std::string> choices = {};
  bool operator==(const output_form &) const = default;
};

} // namespace ganglion::runtime
