#include "runtime/chat/literal.hpp"

#include "runtime/chat/chat_error.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <algorithm>
#include <charconv>

namespace ganglion::runtime::chat {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads `count` digits (or up to so many octal ones) at `at`.
char32_t code_of(std::string_view body, std::size_t &at, std::size_t count,
                 int base, std::size_t line) {
  const auto digits = body.substr(at, count);
  unsigned value = 0;
  const auto [end, status] = std::from_chars(
      digits.data(), digits.data() + digits.size(), value, base);
  const auto length = static_cast<std::size_t>(end - digits.data());
  if (status != std::errc() || (base == 16 && length != count) ||
      value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
    throw chat_error(failure::syntax, "a string has a malformed \\ escape",
                     line);
  at += length;
  return value;
}

void append_escape(std::string &out, std::string_view body, std::size_t &at,
                   std::size_t line) {
  constexpr std::string_view plain = "\\'\"abfnrtv",
                             means = "\\'\"\a\b\f\n\r\t\v";
  const char c = body[at];
  if (const auto i = plain.find(c); i != plain.npos) {
    out += means[i];
    ++at;
  } else if (c == '\n') {
    ++at;
  } else if (c >= '0' && c <= '7') {
    append_utf8(out, code_of(body, at, 3, 8, line));
  } else if (c == 'x' || c == 'u' || c == 'U') {
    ++at;
    append_utf8(out, code_of(body, at,
                             c == 'x'   ? 2
                             : c == 'u' ? 4
                                        : 8,
                             16, line));
  } else if (c == 'N') {
    throw chat_error(failure::unsupported,
                     "\\N{...} in a string is not supported", line);
  } else {
    out += '\\';
  }
}

// Digits with single underscores between them.
std::size_t digits_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && (is_digit(text[at]) ||
                              (text[at] == '_' && at > 0 &&
                               at + 1 < text.size() && is_digit(text[at + 1]))))
    ++at;
  return at;
}

int base_of(std::string_view text) {
  if (text.size() < 3 || text[0] != '0')
    return 10;
  switch (text[1] | 0x20) {
  case 'x':
    return 16;
  case 'o':
    return 8;
  case 'b':
    return 2;
  default:
    return 10;
  }
}

} // namespace

std::string unescape(std::string_view body, std::size_t line) {
  std::string out;
  for (std::size_t at = 0; at < body.size();) {
    const char c = body[at++];
    if (c != '\\')
      out += c;
    else
      append_escape(out, body, at, line);
  }
  return out;
}

std::size_t number_length(std::string_view text, bool &is_real) {
  is_real = false;
  if (base_of(text) != 10) {
    const auto is_part = [](char c) { return std::isalnum(c) || c == '_'; };
    return static_cast<std::size_t>(
        std::find_if_not(text.begin() + 2, text.end(), is_part) - text.begin());
  }
  std::size_t at = digits_length(text);
  if (at == 0)
    return 0;
  if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
    at += 1 + digits_length(text.substr(at + 1));
    is_real = true;
  }
  if (at < text.size() && (text[at] | 0x20) == 'e') {
    std::size_t digits = at + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-'))
      ++digits;
    if (const auto length = digits_length(text.substr(digits))) {
      at = digits + length;
      is_real = true;
    }
  }
  return at;
}

value number_value(const token &number) {
  std::string text = number.text;
  std::erase(text, '_');
  const char *end = text.data() + text.size();
  if (number.kind == token_kind::real) {
    double out = 0;
    const auto status = std::from_chars(text.data(), end, out).ec;
    if (status == std::errc())
      return out;
  } else {
    const int base = base_of(text);
    std::int64_t out = 0;
    const auto [last, status] =
        std::from_chars(text.data() + (base == 10 ? 0 : 2), end, out, base);
    if (status == std::errc() && last == end)
      return out;
  }
  throw chat_error(failure::syntax,
                   "the number " + number.text + " cannot be represented",
                   number.line);
}

} // namespace ganglion::runtime::chat
