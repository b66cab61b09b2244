// What a template reports: one error type that also names the kind of failure
// as Python would.
#pragma once

#include "hlo/support/error.hpp"

namespace ganglion::runtime::chat {

enum class failure {
  raised,        ///< the template called raise_exception
  syntax,        ///< the source is no template
  unsupported,   ///< a construct that is known but not offered
  undefined,     ///< something that is not there was used
  type,          ///< an operation on values it is not meant for
  value,         ///< a value that an operation cannot take
  overflow,      ///< a number out of range
  zero_division, ///< division or modulo by zero
  security,      ///< something that would change the caller's values
  limit,         ///< one of `limits` was reached
};

/// The name Python gives such a failure: "TemplateError", "TypeError", ...
const char *to_string(failure kind);

/// Thrown while parsing (code `corrupt_data` or `unsupported`) and rendering
/// (`invalid_argument`); `where()` is "chat template, line N".
class chat_error : public error {
public:
  chat_error(failure kind, const std::string &message, std::size_t line);

  failure kind() const { return kind_; }
  std::size_t line() const { return line_; }

private:
  failure kind_;
  std::size_t line_;
};

} // namespace ganglion::runtime::chat
