// bfloat16 and float16 as storage types: conversions to and from float with
// round-to-nearest-even; arithmetic is always done in float. Always inlined: an
// out-of-line copy compiled for one instruction set must not serve another.
#pragma once

#include <bit>
#include <cstdint>

namespace ganglion {

struct bfloat16 {
  std::uint16_t bits = 0;
};

struct float16 {
  std::uint16_t bits = 0;
};

[[gnu::always_inline]] inline float to_float(bfloat16 value) {
  return std::bit_cast<float>(std::uint32_t{value.bits} << 16);
}

[[gnu::always_inline]] inline bfloat16 to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) // NaN: keep it quiet, keep the sign
    return {static_cast<std::uint16_t>((bits >> 16) | 0x0040u)};
  const std::uint32_t rounding = 0x7fffu + ((bits >> 16) & 1u);
  return {static_cast<std::uint16_t>((bits + rounding) >> 16)};
}

[[gnu::always_inline]] inline float to_float(float16 value) {
  const std::uint32_t sign = std::uint32_t(value.bits & 0x8000u) << 16;
  const std::uint32_t exponent = (value.bits >> 10) & 0x1fu;
  const std::uint32_t mantissa = value.bits & 0x3ffu;
  if (exponent == 0) { // zero or subnormal: mantissa * 2^-24
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const std::uint32_t rebased =
      exponent == 0x1fu ? 0x7f800000u : (exponent + 112u) << 23;
  return std::bit_cast<float>(sign | rebased | (mantissa << 13));
}

[[gnu::always_inline]] inline float16 to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return {static_cast<std::uint16_t>(sign | 0x7e00u)};
  if (magnitude >= 0x477ff000u) // rounds to 65536 or more: infinity
    return {static_cast<std::uint16_t>(sign | 0x7c00u)};
  if (magnitude < 0x38800000u) { // subnormal: let the adder round for us
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return {static_cast<std::uint16_t>(
        sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u))};
  }
  const std::uint32_t rounding = 0xfffu + ((magnitude >> 13) & 1u);
  return {static_cast<std::uint16_t>(
      sign | ((magnitude + rounding - 0x38000000u) >> 13))};
}

} // namespace ganglion
