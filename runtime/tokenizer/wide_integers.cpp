#include "runtime/tokenizer/wide_integers.hpp"

namespace ganglion::runtime {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The end of the string whose opening quote is at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\')
      ++at;
  return at < text.size() ? at + 1 : text.size();
}

// The end of the number at `at`; `integer` tells whether it is all digits.
std::size_t number_end(std::string_view text, std::size_t at, bool &integer) {
  static constexpr std::string_view more = "+-.eE";
  integer = true;
  for (; at < text.size(); ++at) {
    if (is_digit(text[at]))
      continue;
    if (more.find(text[at]) == std::string_view::npos)
      break;
    integer = false;
  }
  return at;
}

} // namespace

std::string wide_integers_as_reals(std::string_view text) {
  constexpr std::size_t widest = 18; // digits that always fit
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    bool integer = false;
    if (text[at] == '"')
      end = string_end(text, at);
    else if (is_digit(text[at]))
      end = number_end(text, at, integer);
    out += text.substr(at, end - at);
    if (integer && end - at > widest)
      out += ".0";
    at = end;
  }
  return out;
}

} // namespace ganglion::runtime
