// Vector operations in plain C++: the fallback for any machine.
#pragma once

#include "hlo/support/float_types.hpp"

#include <cmath>
#include <cstdint>

namespace ganglion::neuron::portable {

struct vec {
  static constexpr int lanes = 8;
  float v[lanes];
};

/// Accumulator tiles that fit this machine's registers: rows x vectors.
inline constexpr int tile_rows = 2;
inline constexpr int tile_vectors = 2;

#define GANGLION_LANES(expression)                                             \
  vec out;                                                                     \
  for (int i = 0; i < vec::lanes; ++i)                                         \
    out.v[i] = (expression);                                                   \
  return out

inline vec set1(float x) { GANGLION_LANES(x); }
inline vec load(const float *p) { GANGLION_LANES(p[i]); }
inline vec load(const bfloat16 *p) { GANGLION_LANES(to_float(p[i])); }
inline vec load(const float16 *p) { GANGLION_LANES(to_float(p[i])); }
inline vec add(vec a, vec b) { GANGLION_LANES(a.v[i] + b.v[i]); }
inline vec sub(vec a, vec b) { GANGLION_LANES(a.v[i] - b.v[i]); }
inline vec mul(vec a, vec b) { GANGLION_LANES(a.v[i] * b.v[i]); }
inline vec div(vec a, vec b) { GANGLION_LANES(a.v[i] / b.v[i]); }
inline vec max(vec a, vec b) {
  GANGLION_LANES(a.v[i] > b.v[i] ? a.v[i] : b.v[i]);
}
inline vec min(vec a, vec b) {
  GANGLION_LANES(a.v[i] < b.v[i] ? a.v[i] : b.v[i]);
}
/// a * b + c; not fused here, since a soft fma costs a hundred times more.
inline vec fma(vec a, vec b, vec c) {
  GANGLION_LANES(a.v[i] * b.v[i] + c.v[i]);
}
inline vec round(vec a) { GANGLION_LANES(std::nearbyint(a.v[i])); }
/// 2^n for whole n <= 128; zero below -126, and for NaN any number.
inline float power_of_two(float n) {
  const float whole = n > -127.0f ? n : -127.0f;
  return std::bit_cast<float>((static_cast<std::int32_t>(whole) + 127) << 23);
}
inline vec scale_by_power(vec a, vec n) {
  GANGLION_LANES(a.v[i] * power_of_two(n.v[i]));
}
#undef GANGLION_LANES

inline void store(float *p, vec a) {
  for (int i = 0; i < vec::lanes; ++i)
    p[i] = a.v[i];
}
inline void store(bfloat16 *p, vec a) {
  for (int i = 0; i < vec::lanes; ++i)
    p[i] = to_bfloat16(a.v[i]);
}
inline void store(float16 *p, vec a) {
  for (int i = 0; i < vec::lanes; ++i)
    p[i] = to_float16(a.v[i]);
}

/// Weights of two inputs for each lane, interleaved.
struct pair_vec {
  const bfloat16 *w;
};
inline pair_vec load_pairs(const bfloat16 *p) { return {p}; }

/// acc + x0 * w[2 i] + x1 * w[2 i + 1] per lane, where `pair` holds (x0, x1).
inline vec dot_pair(vec acc, std::uint32_t pair, pair_vec weights) {
  const float x0 = std::bit_cast<float>(pair << 16);
  const float x1 = std::bit_cast<float>(pair & 0xffff0000u);
  for (int i = 0; i < vec::lanes; ++i) {
    acc.v[i] += x0 * to_float(weights.w[2 * i]);
    acc.v[i] += x1 * to_float(weights.w[2 * i + 1]);
  }
  return acc;
}

} // namespace ganglion::neuron::portable
