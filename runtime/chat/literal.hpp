// Literals of the expression language.
#pragma once

#include "runtime/chat/token.hpp"
#include "runtime/chat/value.hpp"

namespace ganglion::runtime::chat {

/// What a string literal without its quotes means. Throws `chat_error`.
std::string unescape(std::string_view body, std::size_t line);

/// How long the number at the front of `text` is, 0 if there is none;
/// `is_real` tells its kind.
std::size_t number_length(std::string_view text, bool &is_real);

/// The value of an `integer` or `real` token. Throws `chat_error`.
value number_value(const token &number);

} // namespace ganglion::runtime::chat
