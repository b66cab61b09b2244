#include "runtime/json/writer.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace ganglion::json {

std::string quote(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  for (const char c : text) {
    switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
        out += escaped;
      } else {
        out += c;
      }
    }
  }
  out += '"';
  return out;
}

std::string number(double value) {
  if (!std::isfinite(value))
    return "null";
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  std::string out(digits, end);
  if (out.find_first_of(".e") == std::string::npos)
    out += ".0";
  return out;
}

writer &writer::key(std::string_view name) {
  separate();
  text_ += quote(name) + ": ";
  first_ = true; // the value that follows takes no separator
  return *this;
}

writer &writer::raw(std::string_view text) {
  separate();
  text_ += text;
  return *this;
}

writer &writer::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
  return *this;
}

writer &writer::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

void writer::separate() {
  if (!first_)
    text_ += ", ";
  first_ = false;
}

} // namespace ganglion::json
