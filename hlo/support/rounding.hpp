// Conversions between numbers that round exactly once: the steps in between
// keep a sticky bit, so that a second rounding cannot go wrong.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

namespace ganglion {

/// `value` as a float, inexact results going to the neighbour whose last bit
/// is set: rounding that to bfloat16 or float16 equals rounding `value` once.
inline float round_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  if (std::isnan(value) || std::isinf(nearest) || nearest == value)
    return nearest;
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (bits & 1u)
    return nearest;
  const bool above = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  return std::bit_cast<float>(above ? bits - 1 : bits + 1);
}

/// A 64-bit integer as a double that rounds to any type with fewer than 40
/// significant bits as the integer itself would.
template <std::integral T>
double sticky_double(T value) {
  const bool negative = value < 0;
  std::uint64_t magnitude = static_cast<std::uint64_t>(value);
  if (negative)
    magnitude = 0 - magnitude;
  constexpr std::uint64_t low = 0x7ff;
  if (magnitude >> 53 && magnitude & low)
    magnitude = (magnitude & ~low) | (low + 1);
  const auto out = static_cast<double>(magnitude);
  return negative ? -out : out;
}

/// `value` truncated toward zero into the range of T; NaN gives zero.
template <std::integral T>
T saturated(double value) {
  if (std::isnan(value))
    return 0;
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (value >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

} // namespace ganglion
