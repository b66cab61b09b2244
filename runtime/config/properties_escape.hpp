// The backslash escapes of Java's .properties syntax.
#pragma once

#include <string>
#include <string_view>

namespace ganglion::runtime {

/// Resolves \t, \n, \r, \f and \uXXXX (UTF-16, pairs included) into UTF-8;
/// before any other character the backslash is dropped. Throws `corrupt_data`
/// at `where` for a \u that is malformed or half a pair.
std::string unescape_property(std::string_view text, const std::string &where);

} // namespace ganglion::runtime
