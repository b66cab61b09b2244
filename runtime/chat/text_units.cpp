#include "runtime/chat/text_units.hpp"

#include "runtime/tokenizer/unicode.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <cstring>

namespace ganglion::runtime::chat {

namespace {

// Where the last character starts.
std::size_t last_start(std::string_view text) {
  auto at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
    --at;
  return at;
}

template <class Drops>
std::string_view drop_left(std::string_view text, Drops drops) {
  while (!text.empty()) {
    const auto length = next_code_point(text).length;
    if (!drops(text.substr(0, length)))
      break;
    text.remove_prefix(length);
  }
  return text;
}

template <class Drops>
std::string_view drop_right(std::string_view text, Drops drops) {
  while (!text.empty()) {
    const auto start = last_start(text);
    if (!drops(text.substr(start)))
      break;
    text = text.substr(0, start);
  }
  return text;
}

bool is_white_text(std::string_view c) {
  return is_white(next_code_point(c).value);
}

} // namespace

bool is_white(char32_t c) { return (c >= 0x1C && c <= 0x1F) || is_space(c); }

std::string_view strip_left(std::string_view text) {
  return drop_left(text, is_white_text);
}

std::string_view strip_right(std::string_view text) {
  return drop_right(text, is_white_text);
}

std::string_view strip_set(std::string_view text, std::string_view set,
                           bool left, bool right) {
  const auto drops = [&](std::string_view c) {
    return set.find(c) != set.npos;
  };
  if (left)
    text = drop_left(text, drops);
  return right ? drop_right(text, drops) : text;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = next_code_point(text.substr(at)).length;
    out.push_back(text.substr(at, length));
    at += length;
  }
  return out;
}

std::size_t count_characters(std::string_view text) {
  std::size_t out = 0;
  for (const char c : text)
    out += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return out;
}

std::size_t find_text(std::string_view text, std::string_view what,
                      std::size_t from) {
  if (from > text.size())
    return text.npos;
  if (what.empty())
    return from;
  // Two-way search: the standard library's find is quadratic at worst.
  const auto *found = static_cast<const char *>(
      memmem(text.data() + from, text.size() - from, what.data(), what.size()));
  return found ? static_cast<std::size_t>(found - text.data()) : text.npos;
}

std::string upper(std::string_view text) {
  std::string out;
  for (const auto c : characters(text))
    append_upper(out, next_code_point(c).value);
  return out;
}

std::string lower(std::string_view text) {
  std::string out;
  for (const auto c : characters(text))
    append_lower(out, next_code_point(c).value);
  return out;
}

std::string capitalized(std::string_view text) {
  if (text.empty())
    return {};
  const auto first = next_code_point(text).length;
  return upper(text.substr(0, first)) + lower(text.substr(first));
}

} // namespace ganglion::runtime::chat
