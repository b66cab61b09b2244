// Values as text, the way Python's str and repr write them.
#pragma once

#include "runtime/chat/rendering.hpp"

namespace ganglion::runtime::chat {

/// Python's name of the value's type: "str", "NoneType", ...
std::string type_name(const value &v);
/// What {{ v }} writes.
std::string to_text(rendering &run, const value &v);
/// With quotes around text.
std::string to_repr(rendering &run, const value &v);
/// The shortest text that reads back as `number`: "1.0", "1e+16".
std::string real_text(double number);

} // namespace ganglion::runtime::chat
