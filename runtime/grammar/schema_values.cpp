#include "hlo/support/error.hpp"
#include "runtime/grammar/integer_range.hpp"
#include "runtime/grammar/regex.hpp"
#include "runtime/grammar/schema_compiler.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime::grammar {

using json::value;

namespace {

/// Characters of a string, items of an array.
constexpr std::int64_t most_repeats = 1 << 16;

/// Formats as patterns. Days are not checked against months.
struct format_pattern {
  std::string_view name, pattern;
};
#define GANGLION_DATE "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
#define GANGLION_TIME                                                          \
  "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?"                   \
  "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
#define GANGLION_BYTE "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
constexpr format_pattern formats[] = {
    {"date", "^" GANGLION_DATE "$"},
    {"time", "^" GANGLION_TIME "$"},
    {"date-time", "^" GANGLION_DATE "T" GANGLION_TIME "$"},
    {"duration", "^P([0-9]{1,4}W|([0-9]{1,4}Y([0-9]{1,4}M([0-9]{1,4}D)?)?|"
                 "[0-9]{1,4}M([0-9]{1,4}D)?|[0-9]{1,4}D)"
                 "(T([0-9]{1,4}H([0-9]{1,4}M([0-9]{1,4}S)?)?|"
                 "[0-9]{1,4}M([0-9]{1,4}S)?|[0-9]{1,4}S))?)$"},
    {"uuid", "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-"
             "[0-9a-fA-F]{12}$"},
    {"ipv4", "^" GANGLION_BYTE "(\\." GANGLION_BYTE "){3}$"},
    {"email", "^[A-Za-z0-9_+-]{1,20}(\\.[A-Za-z0-9_+-]{1,20}){0,2}@"
              "[A-Za-z0-9]{1,20}(-[A-Za-z0-9]{1,20}){0,2}"
              "(\\.[A-Za-z0-9]{1,20}){1,3}$"},
};
#undef GANGLION_DATE
#undef GANGLION_TIME
#undef GANGLION_BYTE

std::string format_names() {
  std::string out;
  for (const auto &row : formats)
    out += (out.empty() ? "" : ", ") + std::string(row.name);
  return out;
}

/// The bound as a whole number that is written: 2.5 is 3 from below.
std::int64_t bound(const value &v, bool from_below, bool exclusive) {
  if (!v.is_number())
    reject_schema(v, "a bound is a number");
  const double number = v.as_double();
  if (std::abs(number) >= static_cast<double>(largest_integer))
    return number < 0 ? -largest_integer : largest_integer;
  const double whole = from_below ? std::ceil(number) : std::floor(number);
  auto out = v.is_integer() ? v.as_int() : static_cast<std::int64_t>(whole);
  if (exclusive && whole == number)
    out += from_below ? 1 : -1;
  return std::clamp(out, -largest_integer, largest_integer);
}

} // namespace

/// A number of characters or items.
std::int32_t schema_compiler::count(const value &schema, std::string_view name,
                                    std::int32_t otherwise) const {
  const auto v = member_of(schema, name);
  if (!v)
    return otherwise;
  const auto n = v->as_int();
  if (n < 0 || n > most_repeats)
    reject_schema(*v, std::to_string(n) + " is out of range; accepted: 0 to " +
                          std::to_string(most_repeats));
  return static_cast<std::int32_t>(n);
}

expr schema_compiler::array(const value &schema) {
  const std::int32_t least = count(schema, "minItems", 0);
  std::int32_t most = count(schema, "maxItems", no_bound);
  std::vector<expr> first;
  if (const auto prefix = member_of(schema, "prefixItems"))
    for (const auto &item : prefix->items())
      first.push_back(to_.call(to_.add(item.path(), compile(item))));
  const auto items = member_of(schema, "items");
  const bool none_after = items && items->is_bool() && !items->as_bool();
  const auto prefix_size = static_cast<std::int32_t>(first.size());
  if (none_after && (most == no_bound || most > prefix_size))
    most = prefix_size;
  if (most != no_bound && most < least)
    reject_schema(schema, "no array has as few items and as many");
  const expr item = none_after || !items
                        ? texts_.any_value()
                        : to_.call(to_.add(items->path(), compile(*items)));
  if (first.empty() || most == 0)
    return texts_.list('[', item, least, most, ']');
  // The first items one by one, each of which may be the last.
  expr rest = to_.repeat(
      to_.sequence({texts_.comma(), item}), std::max(least - prefix_size, 0),
      most == no_bound ? no_bound : std::max(most - prefix_size, 0));
  for (std::int32_t i = prefix_size; i-- > 0;) {
    if (most != no_bound && i >= most)
      continue;
    const expr own = i == 0
                         ? first[0]
                         : to_.sequence({texts_.comma(),
                                         first[static_cast<std::size_t>(i)]});
    rest = to_.sequence({own, rest});
    if (i > 0 && i >= least)
      rest = to_.optional(rest);
  }
  const expr some =
      to_.sequence({texts_.bracket('['), rest, texts_.closing(']')});
  if (least > 0)
    return some;
  return to_.any_of(
      {some, to_.sequence({texts_.bracket('['), to_.literal("]")})});
}

expr schema_compiler::string(const value &schema) {
  const std::int32_t least = count(schema, "minLength", 0);
  const std::int32_t most = count(schema, "maxLength", no_bound);
  if (most != no_bound && most < least)
    reject_schema(schema, "no string is as short and as long");
  const auto pattern = member_of(schema, "pattern");
  const auto format = member_of(schema, "format");
  if (!pattern && !format)
    return texts_.string(least, most);
  if (least > 0 || most != no_bound || (pattern && format))
    refuse_schema(pattern ? *pattern : *format,
                  "more than one of pattern, format and lengths is not "
                  "supported");
  std::string text;
  if (pattern) {
    text = pattern->as_string();
  } else {
    const auto name = format->as_string_view();
    const auto row = std::ranges::find(formats, name, &format_pattern::name);
    if (row == std::end(formats))
      refuse_schema(*format,
                    "the format '" + std::string(name) +
                        "' is not supported; accepted: " + format_names());
    text = row->pattern;
  }
  const expr quote = to_.literal("\"");
  try {
    return to_.sequence(
        {quote, regex(to_, text, regex_match::part, text_form::json_string),
         quote});
  } catch (const error &e) {
    reject_schema(pattern ? *pattern : *format, e.what());
  }
}

expr schema_compiler::number(const value &schema, unsigned types) {
  std::int64_t least = -largest_integer, most = largest_integer;
  std::optional<value> bounded;
  const auto read = [&](const char *name, bool from_below, bool exclusive) {
    const auto v = member_of(schema, name);
    if (!v)
      return;
    bounded = v;
    const auto b = bound(*v, from_below, exclusive);
    from_below ? least = std::max(least, b) : most = std::min(most, b);
  };
  read("minimum", true, false);
  read("exclusiveMinimum", true, true);
  read("maximum", false, false);
  read("exclusiveMaximum", false, true);
  if (!bounded)
    return types & number_type ? texts_.number() : texts_.integer();
  if (types & number_type)
    refuse_schema(*bounded, "bounds are supported for the type integer only");
  if (least > most)
    reject_schema(*bounded, "no whole number is within the bounds");
  return integer_range(to_, least, most);
}

} // namespace ganglion::runtime::grammar
