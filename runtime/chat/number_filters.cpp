// Filters that give numbers, and `default`.
#include "runtime/chat/binding.hpp"
#include "runtime/chat/filters.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/text_units.hpp"
#include "runtime/chat/value_text.hpp"

#include <charconv>
#include <cmath>

namespace ganglion::runtime::chat {

namespace {

value absolute(rendering &run, const value &v, const arguments &) {
  require_defined(run, v);
  if (!v.is_number())
    run.fail(failure::type,
             "bad operand type for abs(): '" + type_name(v) + "'");
  return as_double(v) < 0 ? negative(run, v) : v.is_bool() ? as_whole(v) : v;
}

std::optional<double> parsed_real(std::string_view text) {
  text = strip_right(strip_left(text));
  if (text.starts_with('+'))
    text.remove_prefix(1);
  double out = 0;
  const auto [end, status] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  if (status != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return out;
}

std::optional<std::int64_t> parsed_whole(std::string_view text, int base) {
  text = strip_right(strip_left(text));
  if (text.starts_with('+'))
    text.remove_prefix(1);
  if ((base == 16 && (text.starts_with("0x") || text.starts_with("0X"))) ||
      (base == 8 && (text.starts_with("0o") || text.starts_with("0O"))) ||
      (base == 2 && (text.starts_with("0b") || text.starts_with("0B"))))
    text.remove_prefix(2);
  std::int64_t out = 0;
  const auto [end, status] =
      std::from_chars(text.data(), text.data() + text.size(), out, base);
  if (status != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return out;
}

std::optional<std::int64_t> truncated(double number) {
  if (!(number > -9.2e18 && number < 9.2e18))
    return std::nullopt;
  return static_cast<std::int64_t>(number);
}

value to_int(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "int", given, {"default", "base"});
  require_defined(run, v);
  const auto base = args.whole(1, 10);
  if (base < 2 || base > 36)
    run.fail(failure::value, "int() base must be >= 2 and <= 36");
  std::optional<std::int64_t> out;
  if (is_whole(v))
    out = as_whole(v);
  else if (v.is_real())
    out = truncated(v.as_real());
  else if (v.is_string()) {
    out = parsed_whole(v.as_string(), static_cast<int>(base));
    if (const auto real = parsed_real(v.as_string()); !out && real)
      out = truncated(*real);
  }
  return out ? value(*out) : args.get(0, 0);
}

value to_float(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "float", given, {"default"});
  require_defined(run, v);
  if (v.is_number())
    return as_double(v);
  if (v.is_string())
    if (const auto real = parsed_real(v.as_string()))
      return *real;
  return args.get(0, 0.0);
}

value rounded(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "round", given, {"precision", "method"});
  require_defined(run, v);
  if (!v.is_number())
    run.fail(failure::type,
             "type " + type_name(v) + " doesn't define __round__ method");
  const auto method = args.text(1, "common");
  const auto digits = args.whole(0, 0);
  if (method != "common" && method != "ceil" && method != "floor")
    run.fail(failure::value, "method must be common, ceil or floor");
  if (std::abs(static_cast<double>(digits)) > 300)
    run.fail(failure::value, "a precision of more than 300 digits");
  const double number = as_double(v);
  if (method != "common") {
    const double factor = std::pow(10.0, static_cast<double>(digits));
    return (method == "ceil" ? std::ceil(number * factor)
                             : std::floor(number * factor)) /
           factor;
  }
  if (is_whole(v) && digits >= 0)
    return as_whole(v);
  if (digits <= 0) {
    const double factor = std::pow(10.0, static_cast<double>(-digits));
    return std::nearbyint(number / factor) * factor;
  }
  // as Python: the decimal text of so many digits, read again
  char text[700];
  const auto end =
      std::to_chars(text, text + sizeof text, number, std::chars_format::fixed,
                    static_cast<int>(digits))
          .ptr;
  double out = number;
  std::from_chars(text, end, out);
  return out;
}

value with_default(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "default", given, {"default_value", "boolean"});
  if (v.is_undefined() || (args.flag(1, false) && !is_true(v)))
    return args.get(0, "");
  return v;
}

value length(rendering &run, const value &v, const arguments &) {
  return length_of(run, v);
}

constexpr filter_entry all[] = {
    {"abs", absolute},         {"count", length},   {"d", with_default},
    {"default", with_default}, {"float", to_float}, {"int", to_int},
    {"length", length},        {"round", rounded},
};

} // namespace

std::span<const filter_entry> number_filters() { return all; }

} // namespace ganglion::runtime::chat
