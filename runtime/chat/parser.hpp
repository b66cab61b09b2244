// Statements.
#pragma once

#include "runtime/chat/syntax_tree.hpp"

#include <string_view>

namespace ganglion::runtime::chat {

/// The whole template. Throws `chat_error` naming line and construct.
syntax_tree parse_template(std::string_view source);

} // namespace ganglion::runtime::chat
