#include "runtime/grammar/json_text.hpp"

namespace ganglion::runtime::grammar {

namespace {

constexpr std::int32_t deepest_indentation = 40;
/// Digits of whole numbers, which 64 bits hold; of fractions and exponents,
/// which keep any number finite.
constexpr std::int32_t whole_digits = 18, fraction_digits = 17,
                       exponent_digits = 2;

} // namespace

/// The rule is declared before it is made: it may call itself.
expr json_text::shared(std::optional<rule> &known, const char *name,
                       expr (json_text::*make)()) {
  if (!known) {
    known = to_.declare(name);
    to_.define(*known, (this->*make)());
  }
  return to_.call(*known);
}

expr json_text::one(const char *bytes) {
  byte_set set;
  for (; *bytes; ++bytes)
    set.set(static_cast<unsigned char>(*bytes));
  return to_.bytes(set);
}

expr json_text::white_space() {
  return shared(white_space_, "white space", &json_text::make_white_space);
}
expr json_text::character() {
  return shared(character_, "a character of a string",
                &json_text::make_character);
}
expr json_text::string() {
  return shared(string_, "a string", &json_text::make_string);
}
expr json_text::integer() {
  return shared(integer_, "an integer", &json_text::make_integer);
}
expr json_text::number() {
  return shared(number_, "a number", &json_text::make_number);
}
expr json_text::any_value() {
  return shared(value_, "any JSON value", &json_text::make_value);
}
expr json_text::any_object() {
  return shared(object_, "any JSON object", &json_text::make_object);
}

expr json_text::make_white_space() {
  const expr line =
      to_.sequence({one("\n"), to_.repeat(one(" \t"), 0, deepest_indentation)});
  return to_.optional(to_.any_of({one(" "), line}));
}

expr json_text::make_character() {
  code_points plain(0x20, 0x10FFFF);
  code_points quoted('"', '"');
  quoted.add('\\', '\\');
  plain = plain.minus(quoted);
  const expr hex = one("0123456789abcdefABCDEF");
  const expr d = one("dD");
  // A surrogate is half a character.
  const expr unit =
      to_.any_of({to_.sequence({one("0123456789abcefABCEF"), hex, hex, hex}),
                  to_.sequence({d, one("01234567"), hex, hex})});
  const expr pair =
      to_.sequence({d, one("89abAB"), hex, hex, to_.literal("\\u"), one("dD"),
                    one("cdefCDEF"), hex, hex});
  const expr escape = to_.sequence(
      {one("\\"),
       to_.any_of({one("\"\\/bfnrt"),
                   to_.sequence({one("u"), to_.any_of({unit, pair})})})});
  return to_.any_of({to_.character(plain), escape});
}

expr json_text::string(std::int32_t least, std::int32_t most) {
  if (least == 0 && most == no_bound)
    return string();
  return to_.sequence(
      {one("\""), to_.repeat(character(), least, most), one("\"")});
}

expr json_text::make_string() {
  return to_.sequence(
      {one("\""), to_.repeat(character(), 0, no_bound), one("\"")});
}

expr json_text::digits(std::int32_t least, std::int32_t most) {
  return to_.repeat(one("0123456789"), least, most);
}

expr json_text::make_integer() {
  const expr whole = to_.any_of(
      {one("0"),
       to_.sequence({one("123456789"), digits(0, whole_digits - 1)})});
  return to_.sequence({to_.optional(one("-")), whole});
}

expr json_text::make_number() {
  const expr fraction = to_.sequence({one("."), digits(1, fraction_digits)});
  const expr exponent = to_.sequence(
      {one("eE"), to_.optional(one("+-")), digits(1, exponent_digits)});
  return to_.sequence(
      {integer(), to_.optional(fraction), to_.optional(exponent)});
}

expr json_text::boolean() { return to_.one_of({"true", "false"}); }
expr json_text::null() { return to_.literal("null"); }

expr json_text::make_value() {
  return to_.any_of({any_object(), list('[', any_value(), 0, no_bound, ']'),
                     string(), number(), boolean(), null()});
}

expr json_text::make_object() {
  return list('{', member(string(), any_value()), 0, no_bound, '}');
}

// --- punctuation -------------------------------------------------------------

expr json_text::bracket(char open) {
  return to_.sequence({to_.literal({&open, 1}), white_space()});
}

expr json_text::closing(char close) {
  return to_.sequence({white_space(), to_.literal({&close, 1})});
}

expr json_text::comma() { return to_.sequence({one(","), white_space()}); }

expr json_text::member(expr name, expr value) {
  return to_.sequence({name, one(":"), white_space(), value});
}

expr json_text::list(char open, expr item, std::int32_t least,
                     std::int32_t most, char close) {
  const expr none = to_.sequence({bracket(open), to_.literal({&close, 1})});
  if (most == 0)
    return none;
  const expr next = to_.sequence({comma(), item});
  const expr some =
      to_.sequence({bracket(open), item,
                    to_.repeat(next, least > 1 ? least - 1 : 0,
                               most == no_bound ? no_bound : most - 1),
                    closing(close)});
  return least == 0 ? to_.any_of({none, some}) : some;
}

} // namespace ganglion::runtime::grammar
