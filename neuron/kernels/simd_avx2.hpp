// Vector operations on 256-bit registers (AVX2, FMA, F16C).
#pragma once

#include "hlo/support/float_types.hpp"
#include "neuron/cpu/isa.hpp"
#include "neuron/kernels/int8_panel.hpp"
#include "neuron/kernels/nibble_panel.hpp"
#include "neuron/kernels/noise.hpp"
#include "neuron/kernels/quad_panel.hpp"

#include <cstdint>

#include <immintrin.h>

namespace ganglion::neuron::avx2 {

inline constexpr isa this_isa = isa::avx2;

struct vec {
  static constexpr int lanes = 8;
  __m256 v;
};

/// 12 accumulators, 4 weights and a broadcast in 16 registers would spill:
/// 3 rows x 4 vectors leave one register for each.
inline constexpr int tile_rows = 3;
inline constexpr int tile_vectors = 4;
/// Of int8 products: 8 accumulators, 4 halves of weights, 2 of an input.
inline constexpr int quad_rows = 4;
inline constexpr int quad_vectors = 2;
/// Of int4 products: 4 sums of a group, 4 totals, 4 halves of weights, 4 of
/// inputs.
inline constexpr int nibble_rows = 4;
inline constexpr int nibble_vectors = 1;
inline constexpr int single_nibble_vectors = 2;
/// Of attention, whose queries mostly come in powers of two.
inline constexpr int query_rows = 4;
inline constexpr int query_vectors = 2;

inline vec set1(float x) { return {_mm256_set1_ps(x)}; }
inline vec load(const float *p) { return {_mm256_loadu_ps(p)}; }
inline vec load(const bfloat16 *p) {
  const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
  return {
      _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16))};
}
inline vec load(const float16 *p) {
  return {
      _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(p)))};
}
/// The first `n` of a vector's elements; the rest is zero and not read.
template <class T>
inline vec load_first(const T *p, std::int64_t n) {
  T whole[vec::lanes] = {};
  __builtin_memcpy(whole, p, static_cast<std::size_t>(n) * sizeof(T));
  return load(whole);
}
inline vec load(const std::int8_t *p) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(p));
  return {_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes))};
}
inline vec add(vec a, vec b) { return {_mm256_add_ps(a.v, b.v)}; }
inline vec sub(vec a, vec b) { return {_mm256_sub_ps(a.v, b.v)}; }
inline vec mul(vec a, vec b) { return {_mm256_mul_ps(a.v, b.v)}; }
inline vec div(vec a, vec b) { return {_mm256_div_ps(a.v, b.v)}; }
inline vec max(vec a, vec b) { return {_mm256_max_ps(a.v, b.v)}; }
inline vec min(vec a, vec b) { return {_mm256_min_ps(a.v, b.v)}; }
inline vec fma(vec a, vec b, vec c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
inline vec round(vec a) {
  return {_mm256_round_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
/// a * 2^n for whole n <= 128; zero for n < -126.
inline vec scale_by_power(vec a, vec n) {
  const __m256 whole = _mm256_max_ps(n.v, _mm256_set1_ps(-127.0f));
  const __m256i exponent = _mm256_slli_epi32(
      _mm256_add_epi32(_mm256_cvtps_epi32(whole), _mm256_set1_epi32(127)), 23);
  return {_mm256_mul_ps(a.v, _mm256_castsi256_ps(exponent))};
}

inline __m256 mask_within(vec off, vec radius) {
  const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), off.v);
  return _mm256_cmp_ps(size, radius.v, _CMP_LE_OQ);
}
/// A bit for each lane of `off` that is at most `radius` away from 0.
inline unsigned lanes_within(vec off, vec radius) {
  return static_cast<unsigned>(_mm256_movemask_ps(mask_within(off, radius)));
}
/// `a` where `off` is at most `radius` away from 0, `b` elsewhere.
inline vec select_within(vec a, vec b, vec off, vec radius) {
  return {_mm256_blendv_ps(b.v, a.v, mask_within(off, radius))};
}

inline void store(float *p, vec a) { _mm256_storeu_ps(p, a.v); }
inline void store(bfloat16 *p, vec a) {
  const __m256i bits = _mm256_castps_si256(a.v);
  const __m256i odd =
      _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const __m256i rounded = _mm256_srli_epi32(
      _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff))),
      16);
  const __m256i quiet =
      _mm256_or_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(0x40));
  const __m256 nan = _mm256_cmp_ps(a.v, a.v, _CMP_UNORD_Q);
  const __m256i chosen =
      _mm256_blendv_epi8(rounded, quiet, _mm256_castps_si256(nan));
  const __m256i packed =
      _mm256_permute4x64_epi64(_mm256_packus_epi32(chosen, chosen), 0x08);
  _mm_storeu_si128(reinterpret_cast<__m128i *>(p),
                   _mm256_castsi256_si128(packed));
}
inline void store(float16 *p, vec a) {
  _mm_storeu_si128(reinterpret_cast<__m128i *>(p),
                   _mm256_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT));
}

/// Halves are added until one lane is left: a fixed order.
inline float sum_of_lanes(vec a) {
  const __m128 four =
      _mm_add_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
inline float max_of_lanes(vec a) {
  const __m128 four =
      _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

struct pair_vec {
  __m256i both;
};
inline pair_vec load_pairs(const bfloat16 *p) {
  return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p))};
}

/// Interleaves a vector of even and one of odd inputs.
inline pair_vec pairs_of(const bfloat16 *even, const bfloat16 *odd) {
  const auto wide = [](const bfloat16 *p) {
    return _mm256_cvtepu16_epi32(
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(p)));
  };
  return {_mm256_or_si256(wide(even), _mm256_slli_epi32(wide(odd), 16))};
}
inline void store_pairs(bfloat16 *to, pair_vec pairs) {
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), pairs.both);
}

inline vec dot_pair(vec acc, std::uint32_t pair, pair_vec w) {
  const __m256 w0 = _mm256_castsi256_ps(_mm256_slli_epi32(w.both, 16));
  const __m256 w1 = _mm256_castsi256_ps(_mm256_and_si256(
      w.both, _mm256_set1_epi32(static_cast<int>(0xffff0000u))));
  const __m256 x0 =
      _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(pair << 16)));
  const __m256 x1 = _mm256_castsi256_ps(
      _mm256_set1_epi32(static_cast<int>(pair & 0xffff0000u)));
  return {_mm256_fmadd_ps(x1, w1, _mm256_fmadd_ps(x0, w0, acc.v))};
}

/// Int8 weights of two inputs for each lane.
struct unpacked_pairs {
  __m256 first, second;
};
inline vec first_of(const unpacked_pairs &w) { return {w.first}; }
inline vec second_of(const unpacked_pairs &w) { return {w.second}; }

/// Lanes of twice two equal bytes: the lower is the first input's weight.
inline unpacked_pairs pairs_from(__m256i doubled) {
  const __m256i first = _mm256_srai_epi32(_mm256_slli_epi32(doubled, 16), 24);
  const __m256i second = _mm256_srai_epi32(doubled, 24);
  return {_mm256_cvtepi32_ps(first), _mm256_cvtepi32_ps(second)};
}

/// Unpacks 32 outputs.
inline void unpack_group(const int8_weight *w, unpacked_pairs *out) {
  for (int i = 0; i < 2; ++i) {
    const __m256i code =
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(w + 32 * i));
    const __m256i magnitude = _mm256_and_si256(code, _mm256_set1_epi8(0x7f));
    const __m256i whole =
        _mm256_sign_epi8(magnitude, _mm256_or_si256(code, _mm256_set1_epi8(1)));
    out[i] = pairs_from(_mm256_unpacklo_epi8(whole, whole));
    out[i + 2] = pairs_from(_mm256_unpackhi_epi8(whole, whole));
  }
}

inline vec dot_pair(vec acc, std::uint32_t pair, const unpacked_pairs &w) {
  const __m256 x0 =
      _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(pair << 16)));
  const __m256 x1 = _mm256_castsi256_ps(
      _mm256_set1_epi32(static_cast<int>(pair & 0xffff0000u)));
  return {_mm256_fmadd_ps(x1, w.second, _mm256_fmadd_ps(x0, w.first, acc.v))};
}

struct int_vec {
  __m256i v;
};
inline int_vec set1_int(std::int32_t x) { return {_mm256_set1_epi32(x)}; }
inline int_vec add_int(int_vec a, int_vec b) {
  return {_mm256_add_epi32(a.v, b.v)};
}
inline vec to_floats(int_vec a) { return {_mm256_cvtepi32_ps(a.v)}; }

/// Weights of four inputs for each lane, as 16-bit numbers: nothing that is
/// added to them can saturate.
struct weight_quads {
  __m256i even, odd;
};
inline weight_quads quads_of(__m256i bytes) {
  return {_mm256_and_si256(bytes, _mm256_set1_epi16(0xff)),
          _mm256_srli_epi16(bytes, 8)};
}
inline weight_quads load_quads(const quad_weight *p) {
  return quads_of(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p)));
}
/// The first and the last four of eight inputs.
inline void load_nibbles(const nibble_weight *p, weight_quads &low,
                         weight_quads &high) {
  const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p));
  const __m256i mask = _mm256_set1_epi8(0x0f);
  low = quads_of(_mm256_and_si256(both, mask));
  high = quads_of(_mm256_and_si256(_mm256_srli_epi16(both, 4), mask));
}
/// Four inputs, the same for each lane.
struct input_quads {
  __m256i even, odd;
};
inline input_quads spread_quad(std::uint32_t quad) {
  const __m256i bytes = _mm256_set1_epi32(static_cast<int>(quad));
  return {_mm256_srai_epi16(_mm256_slli_epi16(bytes, 8), 8),
          _mm256_srai_epi16(bytes, 8)};
}
inline int_vec dot_quads(int_vec acc, weight_quads w, input_quads x) {
  return {_mm256_add_epi32(
      _mm256_add_epi32(acc.v, _mm256_madd_epi16(w.even, x.even)),
      _mm256_madd_epi16(w.odd, x.odd))};
}

/// The sum of `n` inputs, modulo 2^32.
inline std::uint32_t sum_of_inputs(const std::int8_t *x, std::int64_t n) {
  std::uint32_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i)
    sum += static_cast<std::uint32_t>(x[i]);
  return sum;
}

/// Rounds half to even numbers from -127 to 127.
inline void store(std::int8_t *p, vec a) {
  const __m256i whole = _mm256_cvtps_epi32(a.v);
  const __m128i half = _mm_packs_epi32(_mm256_castsi256_si128(whole),
                                       _mm256_extracti128_si256(whole, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i *>(p), _mm_packs_epi16(half, half));
}

inline constexpr int noise_lanes = 4;

/// The low 64 bits of products, from products of halves.
inline __m256i multiply(__m256i a, std::uint64_t factor) {
  const __m256i b = _mm256_set1_epi64x(static_cast<long long>(factor));
  const __m256i cross =
      _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), b),
                       _mm256_mul_epu32(a, _mm256_srli_epi64(b, 32)));
  return _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64(cross, 32));
}

inline __m256i mix_bits(__m256i x) {
  x = _mm256_add_epi64(x, _mm256_set1_epi64x(static_cast<long long>(mix_add)));
  x = multiply(_mm256_xor_si256(x, _mm256_srli_epi64(x, 30)), mix_first);
  x = multiply(_mm256_xor_si256(x, _mm256_srli_epi64(x, 27)), mix_second);
  return _mm256_xor_si256(x, _mm256_srli_epi64(x, 31));
}

/// A bit for each of the tokens from `token` on whose 1 - u is less than
/// weight * bound; see noise.hpp.
inline unsigned contenders(const float *weights, std::uint64_t key,
                           std::uint64_t token, double bound) {
  const __m256i tokens =
      _mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(token)),
                       _mm256_setr_epi64x(0, 1, 2, 3));
  const __m256i bits =
      mix_bits(_mm256_xor_si256(_mm256_set1_epi64x(static_cast<long long>(key)),
                                multiply(tokens, token_factor)));
  // With the exponent of 2^52 in front, 52 bits read as 2^52 + bits.
  const __m256d raised = _mm256_castsi256_pd(_mm256_or_si256(
      _mm256_srli_epi64(bits, 12), _mm256_set1_epi64x(0x4330000000000000)));
  const __m256d complement =
      _mm256_mul_pd(_mm256_sub_pd(_mm256_sub_pd(_mm256_set1_pd(0x1p53), raised),
                                  _mm256_set1_pd(0.5)),
                    _mm256_set1_pd(0x1p-52));
  const __m256d reach = _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(weights)),
                                      _mm256_set1_pd(bound));
  return static_cast<unsigned>(
      _mm256_movemask_pd(_mm256_cmp_pd(complement, reach, _CMP_LT_OQ)));
}

} // namespace ganglion::neuron::avx2
