// What an action fails with, for tests that look at the message.
#pragma once

#include "hlo/support/error.hpp"

#include <string>

namespace ganglion::testing {

/// "code: where: field: message", or "no error".
template <class Action>
std::string error_text(Action &&action) {
  try {
    action();
  } catch (const error &e) {
    return std::string(to_string(e.code())) + ": " + e.describe();
  }
  return "no error";
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace ganglion::testing
