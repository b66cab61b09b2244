#include "runtime/config/properties_escape.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace ganglion::runtime {

namespace {

constexpr std::size_t digits = 4;

void append_utf8(char32_t code, std::string &out) {
  const auto tail = [&](int shift) {
    out += static_cast<char>(0x80 | (code >> shift & 0x3f));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

[[noreturn]] void refuse(std::string_view text, const std::string &where) {
  throw error(error_code::corrupt_data,
              "'\\u" + std::string(text.substr(0, digits)) +
                  "' is not \\u with four hexadecimal digits of a character",
              where);
}

/// Takes four hexadecimal digits from the front of `text`.
char32_t take_unit(std::string_view &text, const std::string &where) {
  std::uint32_t unit = 0;
  const auto end = text.data() + std::min(digits, text.size());
  const auto result = std::from_chars(text.data(), end, unit, 16);
  if (text.size() < digits || result.ec != std::errc() || result.ptr != end)
    refuse(text, where);
  text.remove_prefix(digits);
  return unit;
}

/// Takes what follows "\u": one unit, or two that make a pair.
char32_t take_character(std::string_view &text, const std::string &where) {
  const auto begin = text;
  const char32_t high = take_unit(text, where);
  if (high < 0xd800 || high > 0xdfff)
    return high;
  if (high > 0xdbff || !text.starts_with("\\u"))
    refuse(begin, where);
  text.remove_prefix(2);
  const char32_t low = take_unit(text, where);
  if (low < 0xdc00 || low > 0xdfff)
    refuse(begin, where);
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

char plain_escape(char c) {
  switch (c) {
  case 't':
    return '\t';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 'f':
    return '\f';
  default:
    return c;
  }
}

} // namespace

std::string unescape_property(std::string_view text, const std::string &where) {
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c != '\\') {
      out += c;
      continue;
    }
    if (text.empty())
      break; // a lone backslash at the end of the text means nothing
    const char escaped = text.front();
    text.remove_prefix(1);
    if (escaped == 'u')
      append_utf8(take_character(text, where), out);
    else
      out += plain_escape(escaped);
  }
  return out;
}

} // namespace ganglion::runtime
