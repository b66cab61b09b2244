#include "hlo/name.hpp"

#include <algorithm>

namespace ganglion::hlo {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool continues_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

bool is_name(std::string_view text) {
  return !text.empty() && starts_name(text[0]) &&
         std::all_of(text.begin(), text.end(), continues_name);
}

} // namespace ganglion::hlo
