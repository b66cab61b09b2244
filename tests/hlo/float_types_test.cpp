// bf16 and f16 against their definitions: every value, and the rounding of
// floats near all of them.
#include "hlo/support/float_types.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>

using namespace ganglion;

namespace {

/// What a 16-bit pattern stands for.
double value_of(std::uint32_t bits, int exponent_bits, int digits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const std::uint32_t top = (1u << exponent_bits) - 1;
  const std::uint32_t exponent = bits >> digits & top;
  const std::uint32_t mantissa = bits & ((1u << digits) - 1);
  const double sign = bits & 0x8000u ? -1 : 1;
  if (exponent == top)
    return mantissa ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - bias - digits);
  return sign * std::ldexp(mantissa + (1u << digits),
                           static_cast<int>(exponent) - bias - digits);
}

struct bf16_kind {
  static constexpr int exponent_bits = 8, digits = 7;
  using type = bfloat16;
  static std::uint16_t round(float x) { return to_bfloat16(x).bits; }
};

struct f16_kind {
  static constexpr int exponent_bits = 5, digits = 10;
  using type = float16;
  static std::uint16_t round(float x) { return to_float16(x).bits; }
};

template <class Kind>
double value_of(std::uint32_t bits) {
  return value_of(bits, Kind::exponent_bits, Kind::digits);
}

/// The nearest pattern, ties to the even one, by looking at both neighbours.
template <class Kind>
std::uint16_t nearest(float x) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000u : 0u);
  const double size = std::fabs(static_cast<double>(x));
  constexpr std::uint32_t infinity = ((1u << Kind::exponent_bits) - 1)
                                     << Kind::digits;
  std::uint32_t low = 0, high = infinity; // value_of grows with the pattern
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (value_of<Kind>(middle) <= size ? low : high) = middle;
  }
  // Infinity is rounded to as if it were the next finite number.
  const double above = high == infinity ? 2 * value_of<Kind>(infinity - 1) -
                                              value_of<Kind>(infinity - 2)
                                        : value_of<Kind>(high);
  const double below = value_of<Kind>(low);
  const bool up = size - below > above - size ||
                  (size - below == above - size && low % 2 == 1);
  return static_cast<std::uint16_t>(sign | (up ? high : low));
}

template <class Kind>
void check_every_value() {
  std::int64_t wrong = 0;
  for (std::uint32_t bits = 0; bits <= 0xffffu; ++bits) {
    const float x =
        to_float(typename Kind::type{static_cast<std::uint16_t>(bits)});
    const double want = value_of<Kind>(bits);
    if (std::isnan(want))
      wrong += !std::isnan(x) || !std::isnan(value_of<Kind>(Kind::round(x)));
    else
      wrong += static_cast<double>(x) != want ||
               std::signbit(x) != std::signbit(want) || Kind::round(x) != bits;
  }
  BOOST_TEST(wrong == 0);
}

template <class Kind>
void check_rounding() {
  std::mt19937 random(3);
  std::int64_t wrong = 0;
  const auto look = [&](float x) {
    if (std::isfinite(x))
      wrong += Kind::round(x) != nearest<Kind>(x);
  };
  for (std::uint32_t bits = 0; bits < 0x7fffu; bits += 3) {
    const double low = value_of<Kind>(bits), high = value_of<Kind>(bits + 1);
    if (!std::isfinite(low) || !std::isfinite(high))
      continue;
    const auto middle = static_cast<float>((low + high) / 2);
    for (const float x : {middle, std::nextafter(middle, 0.0f),
                          std::nextafter(middle, INFINITY)}) {
      look(x);
      look(-x);
    }
  }
  for (int i = 0; i < 200000; ++i)
    look(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  BOOST_TEST(wrong == 0);
}

} // namespace

BOOST_AUTO_TEST_SUITE(float_types)

BOOST_AUTO_TEST_CASE(every_bfloat16_round_trips) {
  check_every_value<bf16_kind>();
}

BOOST_AUTO_TEST_CASE(every_float16_round_trips) {
  check_every_value<f16_kind>();
}

BOOST_AUTO_TEST_CASE(floats_round_to_the_nearest_bfloat16) {
  check_rounding<bf16_kind>();
}

BOOST_AUTO_TEST_CASE(floats_round_to_the_nearest_float16) {
  check_rounding<f16_kind>();
}

BOOST_AUTO_TEST_CASE(overflow_and_nan) {
  BOOST_TEST(to_float16(65519.0f).bits == 0x7bffu);
  BOOST_TEST(to_float16(65520.0f).bits == 0x7c00u);
  BOOST_TEST(to_float16(-INFINITY).bits == 0xfc00u);
  BOOST_TEST(to_bfloat16(3.4e38f).bits == 0x7f80u);
  // Payload bits below the kept ones must not turn a NaN into infinity.
  const float nan = std::bit_cast<float>(0x7f800001u);
  BOOST_TEST(std::isnan(to_float(to_bfloat16(nan))));
  BOOST_TEST(std::isnan(to_float(to_float16(nan))));
}

BOOST_AUTO_TEST_SUITE_END()
