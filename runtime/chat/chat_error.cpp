#include "runtime/chat/chat_error.hpp"

namespace ganglion::runtime::chat {

namespace {

error_code code_of(failure kind) {
  switch (kind) {
  case failure::syntax:
    return error_code::corrupt_data;
  case failure::unsupported:
    return error_code::unsupported;
  default:
    return error_code::invalid_argument;
  }
}

} // namespace

const char *to_string(failure kind) {
  switch (kind) {
  case failure::raised:
    return "TemplateError";
  case failure::syntax:
    return "TemplateSyntaxError";
  case failure::unsupported:
    return "NotImplementedError";
  case failure::undefined:
    return "UndefinedError";
  case failure::type:
    return "TypeError";
  case failure::value:
    return "ValueError";
  case failure::overflow:
    return "OverflowError";
  case failure::zero_division:
    return "ZeroDivisionError";
  case failure::security:
    return "SecurityError";
  case failure::limit:
    return "LimitError";
  }
  return "TemplateError";
}

chat_error::chat_error(failure kind, const std::string &message,
                       std::size_t line)
    : error(code_of(kind), message,
            "chat template, line " + std::to_string(line)),
      kind_(kind),
      line_(line) {}

} // namespace ganglion::runtime::chat
