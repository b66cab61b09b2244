#include "hlo/text/number_text.hpp"

#include "hlo/support/float_types.hpp"

#include <bit>
#include <charconv>
#include <cmath>

namespace ganglion::hlo::text {

namespace {

/// The parts of a floating format that NaN payloads need.
struct float_format {
  int mantissa_bits;
  int total_bits;
};

float_format format_of(element_type type) {
  switch (type) {
  case element_type::f16:
    return {10, 16};
  case element_type::bf16:
    return {7, 16};
  case element_type::f32:
    return {23, 32};
  default:
    return {52, 64};
  }
}

std::uint64_t raw_bits(const literal_view &v, std::int64_t i) {
  std::uint64_t bits = 0;
  const std::size_t size = byte_size(v.form->type);
  std::memcpy(&bits, v.data + i * static_cast<std::int64_t>(size), size);
  return bits;
}

void set_raw_bits(const literal_view &v, std::int64_t i, std::uint64_t bits) {
  const std::size_t size = byte_size(v.form->type);
  std::memcpy(v.data + i * static_cast<std::int64_t>(size), &bits, size);
}

template <class T>
void append_number(std::string &out, T value, int base = 10) {
  char digits[32];
  std::to_chars_result end{};
  if constexpr (std::is_floating_point_v<T>)
    end = std::to_chars(digits, std::end(digits), value);
  else
    end = std::to_chars(digits, std::end(digits), value, base);
  out.append(digits, end.ptr);
}

void append_nan(std::string &out, const literal_view &from, std::int64_t i) {
  const auto format = format_of(from.form->type);
  const std::uint64_t bits = raw_bits(from, i);
  const std::uint64_t mantissa =
      bits & ((std::uint64_t{1} << format.mantissa_bits) - 1);
  out += bits >> (format.total_bits - 1) ? "-nan" : "nan";
  if (mantissa == std::uint64_t{1} << (format.mantissa_bits - 1))
    return;
  out += "(0x";
  append_number(out, mantissa, 16);
  out += ')';
}

bool read_nan(std::string_view token, const literal_view &to, std::int64_t i) {
  const auto format = format_of(to.form->type);
  const bool negative = token.starts_with('-');
  token.remove_prefix(negative ? 4 : 3);
  std::uint64_t mantissa = std::uint64_t{1} << (format.mantissa_bits - 1);
  if (!token.empty()) {
    if (!token.starts_with("(0x") || !token.ends_with(')'))
      return false;
    const auto end = token.data() + token.size() - 1;
    const auto read = std::from_chars(token.data() + 3, end, mantissa, 16);
    if (read.ec != std::errc() || read.ptr != end || mantissa == 0 ||
        mantissa >> format.mantissa_bits)
      return false;
  }
  const int exponent_bits = format.total_bits - 1 - format.mantissa_bits;
  std::uint64_t bits = (std::uint64_t{1} << exponent_bits) - 1;
  bits = bits << format.mantissa_bits | mantissa;
  if (negative)
    bits |= std::uint64_t{1} << (format.total_bits - 1);
  set_raw_bits(to, i, bits);
  return true;
}

template <class T>
bool read_number(std::string_view token, T &out) {
  const auto end = token.data() + token.size();
  const auto read = std::from_chars(token.data(), end, out);
  return read.ec == std::errc() && read.ptr == end;
}

bool read_floating(std::string_view token, const literal_view &to,
                   std::int64_t i) {
  if (token.starts_with("nan") || token.starts_with("-nan"))
    return read_nan(token, to, i);
  const bool infinite = token == "inf" || token == "-inf";
  if (to.form->type == element_type::f64) {
    double value = 0;
    if (!read_number(token, value) || (!std::isfinite(value) && !infinite))
      return false;
    to.set_real(i, value);
    return true;
  }
  float value = 0;
  if (!read_number(token, value) || (!std::isfinite(value) && !infinite))
    return false;
  to.set_real(i, value);
  return infinite || std::isfinite(to.real(i));
}

bool read_integral(std::string_view token, const literal_view &to,
                   std::int64_t i) {
  if (to.form->type == element_type::u64) {
    std::uint64_t value = 0;
    if (!read_number(token, value))
      return false;
    to.set_integer(i, std::bit_cast<std::int64_t>(value));
    return true;
  }
  std::int64_t value = 0;
  if (!read_number(token, value))
    return false;
  to.set_integer(i, value);
  return to.integer(i) == value;
}

} // namespace

void append_element(std::string &out, const literal_view &from,
                    std::int64_t i) {
  const element_type type = from.form->type;
  if (type == element_type::u64)
    append_number(out, std::bit_cast<std::uint64_t>(from.integer(i)));
  else if (!is_floating(type))
    append_number(out, from.integer(i));
  else if (std::isnan(from.real(i)))
    append_nan(out, from, i);
  else if (type == element_type::f64)
    append_number(out, from.real(i));
  else
    append_number(out, static_cast<float>(from.real(i)));
}

bool read_element(std::string_view token, const literal_view &to,
                  std::int64_t i) {
  const element_type type = to.form->type;
  if (is_floating(type))
    return read_floating(token, to, i);
  if (type == element_type::pred && (token == "true" || token == "false")) {
    to.set_integer(i, token == "true");
    return true;
  }
  return read_integral(token, to, i);
}

} // namespace ganglion::hlo::text
