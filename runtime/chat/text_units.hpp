// Text as Python sees it: code points, white space and cases.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime::chat {

/// What str.isspace holds for.
bool is_white(char32_t c);
std::string_view strip_left(std::string_view text);
std::string_view strip_right(std::string_view text);
/// Without the characters of `set` at the chosen ends.
std::string_view strip_set(std::string_view text, std::string_view set,
                           bool left, bool right);

/// The characters, as parts of `text`.
std::vector<std::string_view> characters(std::string_view text);
std::size_t count_characters(std::string_view text);

/// First place of `what` at or after byte `from`, or npos; linear in time.
std::size_t find_text(std::string_view text, std::string_view what,
                      std::size_t from = 0);

std::string upper(std::string_view text);
std::string lower(std::string_view text);
/// The first character upper, the others lower.
std::string capitalized(std::string_view text);

} // namespace ganglion::runtime::chat
