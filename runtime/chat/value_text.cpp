#include "runtime/chat/value_text.hpp"

#include "runtime/chat/text_units.hpp"
#include "runtime/tokenizer/unicode.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace ganglion::runtime::chat {

namespace {

void append_repr(rendering &run, std::string &out, const value &v);

void append_escaped(std::string &out, std::string_view c) {
  const auto code = next_code_point(c).value;
  if (is_printable(code)) {
    out += c;
    return;
  }
  char hex[16];
  std::snprintf(hex, sizeof hex,
                code < 0x100     ? "\\x%02x"
                : code < 0x10000 ? "\\u%04x"
                                 : "\\U%08x",
                static_cast<unsigned>(code));
  out += hex;
}

void append_quoted(rendering &run, std::string &out, std::string_view text) {
  run.scan(text.size() * 4);
  const char quote =
      text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
  std::string quoted(1, quote);
  for (const auto c : characters(text)) {
    if (c[0] == quote || c[0] == '\\')
      quoted += '\\';
    if (c == "\n")
      quoted += "\\n";
    else if (c == "\r")
      quoted += "\\r";
    else if (c == "\t")
      quoted += "\\t";
    else
      append_escaped(quoted, c);
  }
  quoted += quote;
  run.emit(out, quoted);
}

void append_sequence(rendering &run, std::string &out, const sequence &all) {
  constexpr std::string_view before[] =
      {"[", "(", "[", "dict_keys([", "dict_values([", "dict_items(["},
                             after[] = {"]", ")", "]", "])", "])", "])"};
  const auto kind = static_cast<std::size_t>(all.kind);
  run.emit(out, before[kind]);
  for (std::size_t i = 0; i < all.items.size(); ++i) {
    if (i > 0)
      run.emit(out, ", ");
    append_repr(run, out, all.items[i]);
  }
  if (all.kind == sequence_kind::tuple && all.items.size() == 1)
    run.emit(out, ",");
  run.emit(out, after[kind]);
}

void append_dict(rendering &run, std::string &out, const dictionary &all) {
  run.emit(out, "{");
  bool first = true;
  for (const auto &[key, item] : all.entries) {
    if (!first)
      run.emit(out, ", ");
    first = false;
    append_repr(run, out, key);
    run.emit(out, ": ");
    append_repr(run, out, item);
  }
  run.emit(out, "}");
}

void append_repr(rendering &run, std::string &out, const value &v) {
  run.step();
  const rendering::level level(run);
  if (v.is_string())
    append_quoted(run, out, v.as_string());
  else if (v.is_sequence())
    append_sequence(run, out, v.as_sequence());
  else if (v.is_dict())
    append_dict(run, out, v.as_dict());
  else if (v.is_undefined())
    run.emit(out, "Undefined");
  else
    run.emit(out, to_text(run, v));
}

} // namespace

std::string type_name(const value &v) {
  if (v.is_none())
    return "NoneType";
  if (v.is_undefined())
    return "Undefined";
  if (v.is_bool())
    return "bool";
  if (v.is_integer())
    return "int";
  if (v.is_real())
    return "float";
  if (v.is_string())
    return "str";
  if (v.is_dict())
    return "dict";
  if (v.is_object())
    return v.as_object().type_name();
  constexpr const char *kinds[] = {"list",      "tuple",       "range",
                                   "dict_keys", "dict_values", "dict_items"};
  return kinds[static_cast<std::size_t>(v.as_sequence().kind)];
}

std::string real_text(double number) {
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number < 0 ? "-inf" : "inf";
  char digits[40];
  const auto size = std::abs(number);
  const bool plain = number == 0 || (size >= 1e-4 && size < 1e16);
  const auto end = std::to_chars(digits, digits + sizeof digits, number,
                                 plain ? std::chars_format::fixed
                                       : std::chars_format::scientific)
                       .ptr;
  std::string out(digits, end);
  if (plain && out.find('.') == out.npos)
    out += ".0";
  return out;
}

std::string to_repr(rendering &run, const value &v) {
  std::string out;
  append_repr(run, out, v);
  return out;
}

std::string to_text(rendering &run, const value &v) {
  if (v.is_string())
    return v.as_string();
  if (v.is_none())
    return "None";
  if (v.is_undefined())
    return {};
  if (v.is_bool())
    return v.as_bool() ? "True" : "False";
  if (v.is_integer())
    return std::to_string(v.as_integer());
  if (v.is_real())
    return real_text(v.as_real());
  if (v.is_object())
    return "<" + v.as_object().type_name() + " object>";
  return to_repr(run, v);
}

} // namespace ganglion::runtime::chat
