#include "apps/http/message.hpp"

#include <algorithm>

namespace ganglion::apps {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

int hex_digit(char c) {
  c = lower(c);
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string unescape(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pair = text[i] == '%' && i + 2 < text.size() &&
                      hex_digit(text[i + 1]) >= 0 &&
                      hex_digit(text[i + 2]) >= 0;
    if (pair) {
      out += static_cast<char>(hex_digit(text[i + 1]) * 16 +
                               hex_digit(text[i + 2]));
      i += 2;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

bool is_token_character(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.").find(c) != std::string_view::npos;
}

} // namespace

bool same_header_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view http_request::header(std::string_view name) const {
  for (const auto &h : headers)
    if (same_header_name(h.name, name))
      return h.value;
  return {};
}

std::string http_request::query_value(std::string_view name) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const auto pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    const auto equals = pair.find('=');
    if (unescape(pair.substr(0, equals), true) == name)
      return equals == std::string_view::npos
                 ? std::string()
                 : unescape(pair.substr(equals + 1), true);
  }
  return {};
}

std::string segment_text(std::string_view segment) {
  return unescape(segment, false);
}

std::string header_token(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_token_character(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

} // namespace ganglion::apps
