// The messages of a chat, checked and put into the form that templates expect.
#pragma once

#include "runtime/chat/value.hpp"
#include "runtime/json/reader.hpp"

namespace ganglion::apps {

/// A list of dictionaries with "role" and "content" (a text; none for calls of
/// tools). Parts of a content become one text, a line each; arguments of tool
/// calls, which are JSON texts, become dictionaries; a developer is called
/// "system", which is how templates know one. Throws `invalid_argument`
/// or `unsupported` naming the member at fault.
runtime::chat::value read_messages(const json::value &v);

} // namespace ganglion::apps
