// The meaning of each arithmetic operation on one element, in double or in
// 64-bit integers.
#pragma once

#include "hlo/opcode.hpp"
#include "hlo/support/error.hpp"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

namespace ganglion::hlo {

[[noreturn]] inline void refuse_type(opcode op) {
  throw error(error_code::unsupported, "not defined for this element type",
              std::string(to_string(op)));
}

inline double real_unary(opcode op, double x) {
  switch (op) {
  case opcode::abs:
    return std::fabs(x);
  case opcode::cbrt:
    return std::cbrt(x);
  case opcode::ceil:
    return std::ceil(x);
  case opcode::cosine:
    return std::cos(x);
  case opcode::erf:
    return std::erf(x);
  case opcode::exponential:
    return std::exp(x);
  case opcode::exponential_minus_one:
    return std::expm1(x);
  case opcode::floor:
    return std::floor(x);
  case opcode::log:
    return std::log(x);
  case opcode::log_plus_one:
    return std::log1p(x);
  case opcode::logistic:
    return 1 / (1 + std::exp(-x));
  case opcode::negate:
    return -x;
  case opcode::round_nearest_afz:
    return std::round(x);
  case opcode::round_nearest_even:
    return std::rint(x);
  case opcode::rsqrt:
    return 1 / std::sqrt(x);
  case opcode::sign: // keeps NaN and the sign of zero
    return x > 0 ? 1 : x < 0 ? -1 : x;
  case opcode::sine:
    return std::sin(x);
  case opcode::sqrt:
    return std::sqrt(x);
  case opcode::tan:
    return std::tan(x);
  case opcode::tanh:
    return std::tanh(x);
  default:
    refuse_type(op);
  }
}

/// Unsigned types pass uint64_t; wrapping to the type, which has `bits`, is the
/// caller's.
template <std::integral C>
C integer_unary(opcode op, C x, unsigned bits) {
  const auto wrapped = static_cast<std::uint64_t>(x);
  const std::uint64_t stored = wrapped & (~std::uint64_t{0} >> (64 - bits));
  switch (op) {
  case opcode::abs:
    return x < 0 ? static_cast<C>(0 - wrapped) : x;
  case opcode::count_leading_zeros:
    return static_cast<C>(std::countl_zero(stored) -
                          static_cast<int>(64 - bits));
  case opcode::population_count:
    return static_cast<C>(std::popcount(stored));
  case opcode::negate:
    return static_cast<C>(0 - wrapped);
  case opcode::not_:
    return static_cast<C>(~wrapped);
  case opcode::sign:
    return x < 0 ? static_cast<C>(-1) : static_cast<C>(x > 0);
  default:
    refuse_type(op);
  }
}

inline double real_binary(opcode op, double x, double y) {
  const bool has_nan = std::isnan(x) || std::isnan(y);
  switch (op) {
  case opcode::add:
    return x + y;
  case opcode::subtract:
    return x - y;
  case opcode::multiply:
    return x * y;
  case opcode::divide:
    return x / y;
  case opcode::maximum:
    return has_nan ? x + y : x < y ? y : x;
  case opcode::minimum:
    return has_nan ? x + y : y < x ? y : x;
  case opcode::atan2:
    return std::atan2(x, y);
  case opcode::power:
    return std::pow(x, y);
  case opcode::remainder: // takes the sign of the dividend
    return std::fmod(x, y);
  default:
    refuse_type(op);
  }
}

/// By squaring, wrapping; a negative exponent leaves 1, -1 or 0.
template <std::integral C>
C integer_power(C base, C exponent) {
  if (exponent < 0) {
    if (base == static_cast<C>(-1))
      return exponent & 1 ? base : C{1};
    return base == 1;
  }
  std::uint64_t out = 1, factor = static_cast<std::uint64_t>(base);
  for (; exponent > 0; exponent >>= 1, factor *= factor)
    if (exponent & 1)
      out *= factor;
  return static_cast<C>(out);
}

template <std::integral C>
C integer_divide(C x, C y) {
  if (y == 0)
    return static_cast<C>(-1);
  if (std::signed_integral<C> && y == static_cast<C>(-1))
    return static_cast<C>(0 - static_cast<std::uint64_t>(x));
  return x / y;
}

template <std::integral C>
C integer_remainder(C x, C y) {
  if (y == 0)
    return x;
  if (std::signed_integral<C> && y == static_cast<C>(-1))
    return 0;
  return x % y;
}

/// `bits` is the width of the element type: shifts by that or more leave
/// nothing, or only the sign.
template <std::integral C>
C integer_shift(opcode op, C x, C by, unsigned bits) {
  const auto amount = static_cast<std::uint64_t>(by);
  if (op == opcode::shift_right_arithmetic) { // of unsigned types too
    const auto top =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << (64 - bits));
    return static_cast<C>(top >> (64 - bits) >>
                          (amount < bits ? amount : bits - 1));
  }
  if (amount >= bits)
    return 0;
  const auto value = static_cast<std::uint64_t>(x);
  if (op == opcode::shift_left)
    return static_cast<C>(value << amount);
  return static_cast<C>((value & (~std::uint64_t{0} >> (64 - bits))) >> amount);
}

template <std::integral C>
C integer_binary(opcode op, C x, C y, unsigned bits) {
  const auto a = static_cast<std::uint64_t>(x),
             b = static_cast<std::uint64_t>(y);
  switch (op) {
  case opcode::add:
    return static_cast<C>(a + b);
  case opcode::subtract:
    return static_cast<C>(a - b);
  case opcode::multiply:
    return static_cast<C>(a * b);
  case opcode::divide:
    return integer_divide(x, y);
  case opcode::remainder:
    return integer_remainder(x, y);
  case opcode::maximum:
    return x < y ? y : x;
  case opcode::minimum:
    return y < x ? y : x;
  case opcode::power:
    return integer_power(x, y);
  case opcode::and_:
    return static_cast<C>(a & b);
  case opcode::or_:
    return static_cast<C>(a | b);
  case opcode::xor_:
    return static_cast<C>(a ^ b);
  case opcode::shift_left:
  case opcode::shift_right_arithmetic:
  case opcode::shift_right_logical:
    return integer_shift(op, x, y, bits);
  default:
    refuse_type(op);
  }
}

template <class C>
C unary_value(opcode op, C x, unsigned bits) {
  if constexpr (std::is_same_v<C, double>)
    return real_unary(op, x);
  else
    return integer_unary(op, x, bits);
}

template <class C>
C binary_value(opcode op, C x, C y, unsigned bits) {
  if constexpr (std::is_same_v<C, double>)
    return real_binary(op, x, y);
  else
    return integer_binary(op, x, y, bits);
}

/// A number whose order is the total order of floats: by sign, then magnitude,
/// NaNs outside.
inline std::int64_t total_order_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

/// Any comparison with NaN but `ne` is false.
template <class C>
bool compare_values(comparison direction, C x, C y) {
  switch (direction) {
  case comparison::eq:
    return x == y;
  case comparison::ne:
    return x != y;
  case comparison::ge:
    return x >= y;
  case comparison::gt:
    return x > y;
  case comparison::le:
    return x <= y;
  default:
    return x < y;
  }
}

} // namespace ganglion::hlo
