// Runs of a stored tensor's elements, converted to what packed weights are
// made of with one rounding.
#pragma once

#include "hlo/support/float_types.hpp"
#include "hlo/support/rounding.hpp"
#include "neuron/kernels/int8_panel.hpp"
#include "neuron/kernels/quad_panel.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

namespace ganglion::neuron {

/// Elements of a tensor, `stride` of them apart; no alignment is asked for.
template <class From>
struct element_run {
  const std::byte *data;
  std::int64_t stride;

  [[gnu::always_inline]] From operator[](std::int64_t i) const {
    From value;
    std::memcpy(&value, data + i * stride * std::int64_t{sizeof(From)},
                sizeof(From));
    return value;
  }
};

/// A float that rounds to `To` as the source element itself would.
template <class To, class From>
[[gnu::always_inline]] inline float float_of(From value) {
  if constexpr (std::is_same_v<From, bfloat16> || std::is_same_v<From, float16>)
    return to_float(value);
  else if constexpr (std::is_same_v<From, double> && sizeof(To) == 2)
    return round_to_odd(value);
  else
    return static_cast<float>(value);
}

/// What a row's floats are divided by to become s8: its scale, or infinity,
/// which makes them zero, where that is zero.
inline float divisor_of(float scale) {
  return scale > 0.0f ? scale : std::numeric_limits<float>::infinity();
}

/// v / divisor rounded half to even, from -127 to 127. `v` is finite.
[[gnu::always_inline]] inline int quantised(float v, float divisor) {
  // A sum of this size has no room for a fraction: vectors round by adding.
  constexpr float rounder = 0x1.8p23f;
  const float units = std::clamp(v / divisor, -127.0f, 127.0f);
  return static_cast<int>((units + rounder) - rounder);
}

/// How a packed weight of zero is stored.
template <class To>
inline constexpr To stored_zero = To{};
template <>
inline constexpr quad_weight stored_zero<quad_weight> = quad_of(0);

/// An element of type `To`; the divisor is for s8 alone.
template <class To, class From>
[[gnu::always_inline]] inline To stored_as(From value, float divisor) {
  if constexpr (std::is_same_v<To, From> && !std::is_same_v<To, std::int8_t>)
    return value;
  else {
    const float v = float_of<To>(value);
    if constexpr (std::is_same_v<To, bfloat16>)
      return to_bfloat16(v);
    else if constexpr (std::is_same_v<To, float16>)
      return to_float16(v);
    else if constexpr (std::is_same_v<To, float>)
      return v;
    else if constexpr (std::is_same_v<To, int8_weight>)
      return {int8_code(quantised(v, divisor))};
    else if constexpr (std::is_same_v<To, quad_weight>)
      return quad_of(quantised(v, divisor));
    else
      return static_cast<std::int8_t>(quantised(v, divisor));
  }
}

/// Converts `count` elements; divisor_at(i) is that of element i.
template <class To, class From, class Divisor>
void convert(element_run<From> in, std::int64_t count, Divisor divisor_at,
             To *out) {
  if (in.stride == 1) { // known here, the loop becomes one over vectors
    const element_run<From> dense{in.data, 1};
    for (std::int64_t i = 0; i < count; ++i)
      out[i] = stored_as<To>(dense[i], divisor_at(i));
  } else {
    for (std::int64_t i = 0; i < count; ++i)
      out[i] = stored_as<To>(in[i], divisor_at(i));
  }
}

} // namespace ganglion::neuron
