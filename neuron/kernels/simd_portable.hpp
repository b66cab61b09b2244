// Vector operations in plain C++: the fallback for any machine.
#pragma once

#include "hlo/support/float_types.hpp"
#include "neuron/cpu/isa.hpp"
#include "neuron/kernels/int8_panel.hpp"
#include "neuron/kernels/nibble_panel.hpp"
#include "neuron/kernels/noise.hpp"
#include "neuron/kernels/quad_panel.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace ganglion::neuron::portable {

inline constexpr isa this_isa = isa::portable;

struct vec {
  static constexpr int lanes = 8;
  float v[lanes];
};

/// Accumulator tiles that fit this machine's registers: rows x vectors.
inline constexpr int tile_rows = 2;
inline constexpr int tile_vectors = 2;
inline constexpr int quad_rows = 2;
inline constexpr int quad_vectors = 2;
inline constexpr int nibble_rows = 2;
inline constexpr int nibble_vectors = 2;
inline constexpr int single_nibble_vectors = 2;
/// Of attention, whose queries mostly come in powers of two.
inline constexpr int query_rows = 2;
inline constexpr int query_vectors = 2;

#define GANGLION_LANES(expression)                                             \
  vec out;                                                                     \
  for (int i = 0; i < vec::lanes; ++i)                                         \
    out.v[i] = (expression);                                                   \
  return out

inline vec set1(float x) { GANGLION_LANES(x); }
inline vec load(const float *p) { GANGLION_LANES(p[i]); }
inline vec load(const bfloat16 *p) { GANGLION_LANES(to_float(p[i])); }
inline vec load(const float16 *p) { GANGLION_LANES(to_float(p[i])); }
/// The first `n` of a vector's elements; the rest is zero and not read.
template <class T>
inline vec load_first(const T *p, std::int64_t n) {
  vec out = {};
  for (std::int64_t i = 0; i < n; ++i)
    if constexpr (std::is_same_v<T, float>)
      out.v[i] = p[i];
    else
      out.v[i] = to_float(p[i]);
  return out;
}
inline vec load(const std::int8_t *p) {
  GANGLION_LANES(static_cast<float>(p[i]));
}
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
/// `a` where `off` is at most `radius` away from 0, `b` elsewhere.
inline vec select_within(vec a, vec b, vec off, vec radius) {
  GANGLION_LANES(std::fabs(off.v[i]) <= radius.v[i] ? a.v[i] : b.v[i]);
}
#undef GANGLION_LANES
/// A bit for each lane of `off` that is at most `radius` away from 0.
inline unsigned lanes_within(vec off, vec radius) {
  unsigned out = 0;
  for (int i = 0; i < vec::lanes; ++i)
    out |= (std::fabs(off.v[i]) <= radius.v[i] ? 1u : 0u) << i;
  return out;
}

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

/// Halves are added until one lane is left: a fixed order.
inline float sum_of_lanes(vec a) {
  for (int width = vec::lanes / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i)
      a.v[i] += a.v[i + width];
  return a.v[0];
}
inline float max_of_lanes(vec a) {
  float top = a.v[0];
  for (const float x : a.v)
    top = x > top ? x : top;
  return top;
}

/// Weights of two inputs for each lane, interleaved.
struct pair_vec {
  bfloat16 w[2 * vec::lanes];
};
inline pair_vec load_pairs(const bfloat16 *p) {
  pair_vec out;
  __builtin_memcpy(out.w, p, sizeof out.w);
  return out;
}

/// Interleaves a vector of even and one of odd inputs.
inline pair_vec pairs_of(const bfloat16 *even, const bfloat16 *odd) {
  pair_vec out;
  for (int i = 0; i < vec::lanes; ++i) {
    out.w[2 * i] = even[i];
    out.w[2 * i + 1] = odd[i];
  }
  return out;
}
inline void store_pairs(bfloat16 *to, const pair_vec &pairs) {
  __builtin_memcpy(to, pairs.w, sizeof pairs.w);
}

/// acc + x0 * w[2 i] + x1 * w[2 i + 1] per lane, where `pair` holds (x0, x1).
inline vec dot_pair(vec acc, std::uint32_t pair, const pair_vec &weights) {
  const float x0 = std::bit_cast<float>(pair << 16);
  const float x1 = std::bit_cast<float>(pair & 0xffff0000u);
  for (int i = 0; i < vec::lanes; ++i) {
    acc.v[i] += x0 * to_float(weights.w[2 * i]);
    acc.v[i] += x1 * to_float(weights.w[2 * i + 1]);
  }
  return acc;
}

/// Int8 weights of two inputs for each lane.
struct unpacked_pairs {
  vec first, second;
};
inline vec first_of(const unpacked_pairs &w) { return w.first; }
inline vec second_of(const unpacked_pairs &w) { return w.second; }

/// Unpacks 32 outputs.
inline void unpack_group(const int8_weight *w, unpacked_pairs *out) {
  for (int n = 0; n < 32; ++n) {
    const int8_weight *at = w + int8_place(n, 0);
    unpacked_pairs &to = out[n / vec::lanes];
    to.first.v[n % vec::lanes] = static_cast<float>(int8_value(at[0].code));
    to.second.v[n % vec::lanes] = static_cast<float>(int8_value(at[1].code));
  }
}

inline vec dot_pair(vec acc, std::uint32_t pair, const unpacked_pairs &w) {
  const float x0 = std::bit_cast<float>(pair << 16);
  const float x1 = std::bit_cast<float>(pair & 0xffff0000u);
  return fma(set1(x1), w.second, fma(set1(x0), w.first, acc));
}

/// Unsigned, since sums may wrap on their way.
struct int_vec {
  std::uint32_t v[vec::lanes];
};
inline int_vec set1_int(std::int32_t x) {
  int_vec out;
  for (auto &lane : out.v)
    lane = static_cast<std::uint32_t>(x);
  return out;
}
inline int_vec add_int(int_vec a, const int_vec &b) {
  for (int i = 0; i < vec::lanes; ++i)
    a.v[i] += b.v[i];
  return a;
}
inline vec to_floats(const int_vec &a) {
  vec out;
  for (int i = 0; i < vec::lanes; ++i)
    out.v[i] = static_cast<float>(static_cast<std::int32_t>(a.v[i]));
  return out;
}

/// Weights of four inputs for each lane.
struct weight_quads {
  quad_weight w[4 * vec::lanes];
};
inline weight_quads load_quads(const quad_weight *p) {
  weight_quads out;
  __builtin_memcpy(out.w, p, sizeof out.w);
  return out;
}
/// The first and the last four of eight inputs.
inline void load_nibbles(const nibble_weight *p, weight_quads &low,
                         weight_quads &high) {
  for (int i = 0; i < 4 * vec::lanes; ++i) {
    low.w[i].raised = p[i].raised & 0x0f;
    high.w[i].raised = static_cast<std::uint8_t>(p[i].raised >> 4);
  }
}
/// Four inputs, the same for each lane.
struct input_quads {
  std::int8_t x[4];
};
inline input_quads spread_quad(std::uint32_t quad) {
  return std::bit_cast<input_quads>(quad);
}
inline int_vec dot_quads(int_vec acc, const weight_quads &w, input_quads x) {
  for (int i = 0; i < vec::lanes; ++i)
    for (int j = 0; j < 4; ++j)
      acc.v[i] += static_cast<std::uint32_t>(w.w[4 * i + j].raised * x.x[j]);
  return acc;
}

/// The sum of `n` inputs, modulo 2^32.
inline std::uint32_t sum_of_inputs(const std::int8_t *x, std::int64_t n) {
  std::uint32_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i)
    sum += static_cast<std::uint32_t>(x[i]);
  return sum;
}

/// Rounds half to even numbers from -127 to 127.
inline void store(std::int8_t *p, const vec &a) {
  for (int i = 0; i < vec::lanes; ++i)
    p[i] = static_cast<std::int8_t>(std::nearbyint(a.v[i]));
}

inline constexpr int noise_lanes = 1;

/// Whether 1 - u of `token` is less than weight * bound; see noise.hpp.
inline unsigned contenders(const float *weights, std::uint64_t key,
                           std::uint64_t token, double bound) {
  return noise_complement(key, token) < static_cast<double>(weights[0]) * bound
             ? 1
             : 0;
}

} // namespace ganglion::neuron::portable
