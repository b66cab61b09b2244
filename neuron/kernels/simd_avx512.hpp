// Vector operations on 512-bit registers (AVX-512 F, BW, VL, DQ, VBMI, VNNI),
// with the products of bf16 pairs that machines with AVX-512 BF16 have or with
// multiply-adds of f32: two instruction sets, each a namespace.
#pragma once

#include "hlo/support/float_types.hpp"
#include "neuron/cpu/isa.hpp"
#include "neuron/kernels/int8_panel.hpp"
#include "neuron/kernels/nibble_panel.hpp"
#include "neuron/kernels/noise.hpp"
#include "neuron/kernels/quad_panel.hpp"

#include <bit>
#include <cstdint>

#include <immintrin.h>

#ifdef __AVX512BF16__
#define GANGLION_AVX512 avx512_bf16
#else
#define GANGLION_AVX512 avx512
#endif

namespace ganglion::neuron::GANGLION_AVX512 {

inline constexpr isa this_isa = isa::GANGLION_AVX512;

struct vec {
  static constexpr int lanes = 16;
  __m512 v;
};

/// 24 accumulators, 4 weights and a broadcast in 32 registers.
inline constexpr int tile_rows = 6;
inline constexpr int tile_vectors = 4;
/// Of int8 products, as above.
inline constexpr int quad_rows = 6;
inline constexpr int quad_vectors = 4;
/// Of int4 products: 12 sums of a group, 12 totals, 4 weights, 2 inputs.
inline constexpr int nibble_rows = 6;
inline constexpr int nibble_vectors = 2;
inline constexpr int single_nibble_vectors = 4;
/// Of attention, whose queries mostly come in powers of two.
inline constexpr int query_rows = 8;
inline constexpr int query_vectors = 2;

inline vec set1(float x) { return {_mm512_set1_ps(x)}; }
inline vec load(const float *p) { return {_mm512_loadu_ps(p)}; }
inline vec load(const bfloat16 *p) {
  const __m256i half = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p));
  return {
      _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16))};
}
inline vec load(const float16 *p) {
  return {_mm512_cvtph_ps(
      _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p)))};
}
/// The first `n` of a vector's elements; the rest is zero and not read.
inline vec load_first(const float *p, std::int64_t n) {
  return {_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1), p)};
}
inline vec load_first(const bfloat16 *p, std::int64_t n) {
  const __m256i half =
      _mm256_maskz_loadu_epi16(static_cast<__mmask16>((1u << n) - 1), p);
  return {
      _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16))};
}
inline vec load_first(const float16 *p, std::int64_t n) {
  return {_mm512_cvtph_ps(
      _mm256_maskz_loadu_epi16(static_cast<__mmask16>((1u << n) - 1), p))};
}
inline vec load(const std::int8_t *p) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
  return {_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes))};
}
inline vec add(vec a, vec b) { return {_mm512_add_ps(a.v, b.v)}; }
inline vec sub(vec a, vec b) { return {_mm512_sub_ps(a.v, b.v)}; }
inline vec mul(vec a, vec b) { return {_mm512_mul_ps(a.v, b.v)}; }
inline vec div(vec a, vec b) { return {_mm512_div_ps(a.v, b.v)}; }
inline vec max(vec a, vec b) { return {_mm512_max_ps(a.v, b.v)}; }
inline vec min(vec a, vec b) { return {_mm512_min_ps(a.v, b.v)}; }
inline vec fma(vec a, vec b, vec c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
inline vec round(vec a) { return {_mm512_roundscale_ps(a.v, 0x08)}; }
inline vec scale_by_power(vec a, vec n) { return {_mm512_scalef_ps(a.v, n.v)}; }

/// A bit for each lane of `off` that is at most `radius` away from 0.
inline unsigned lanes_within(vec off, vec radius) {
  return _mm512_cmp_ps_mask(_mm512_abs_ps(off.v), radius.v, _CMP_LE_OQ);
}
/// `a` where `off` is at most `radius` away from 0, `b` elsewhere.
inline vec select_within(vec a, vec b, vec off, vec radius) {
  const auto within = static_cast<__mmask16>(lanes_within(off, radius));
  return {_mm512_mask_blend_ps(within, b.v, a.v)};
}

inline void store(float *p, vec a) { _mm512_storeu_ps(p, a.v); }
inline void store(bfloat16 *p, vec a) {
  // Rounded by hand: the instruction for it would flush denormals.
  const __m512i bits = _mm512_castps_si512(a.v);
  const __m512i odd =
      _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i rounded = _mm512_srli_epi32(
      _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff))),
      16);
  const __mmask16 nan = _mm512_cmp_ps_mask(a.v, a.v, _CMP_UNORD_Q);
  const __m512i quiet =
      _mm512_or_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(0x40));
  _mm256_storeu_si256(
      reinterpret_cast<__m256i *>(p),
      _mm512_cvtepi32_epi16(_mm512_mask_blend_epi32(nan, rounded, quiet)));
}
inline void store(float16 *p, vec a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(p),
                      _mm512_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT));
}

inline float sum_of_lanes(__m128 a) {
  const __m128 two = _mm_add_ps(a, _mm_movehl_ps(a, a));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
/// Halves are added until one lane is left: a fixed order.
inline float sum_of_lanes(vec a) {
  const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(a.v),
                                     _mm512_extractf32x8_ps(a.v, 1));
  return sum_of_lanes(_mm_add_ps(_mm256_castps256_ps128(eight),
                                 _mm256_extractf128_ps(eight, 1)));
}
inline float max_of_lanes(vec a) { return _mm512_reduce_max_ps(a.v); }

struct pair_vec {
  __m512i both;
};
inline pair_vec load_pairs(const bfloat16 *p) {
  return {_mm512_loadu_si512(p)};
}

/// Interleaves a vector of even and one of odd inputs.
inline pair_vec pairs_of(const bfloat16 *even, const bfloat16 *odd) {
  const auto wide = [](const bfloat16 *p) {
    return _mm512_cvtepu16_epi32(
        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p)));
  };
  return {_mm512_or_si512(wide(even), _mm512_slli_epi32(wide(odd), 16))};
}
inline void store_pairs(bfloat16 *to, pair_vec pairs) {
  _mm512_storeu_si512(to, pairs.both);
}

inline vec first_of(pair_vec w) {
  return {_mm512_castsi512_ps(_mm512_slli_epi32(w.both, 16))};
}
inline vec second_of(pair_vec w) {
  return {_mm512_castsi512_ps(_mm512_and_si512(
      w.both, _mm512_set1_epi32(static_cast<int>(0xffff0000u))))};
}

inline vec dot_pair(vec acc, std::uint32_t pair, pair_vec w) {
  const pair_vec x{_mm512_set1_epi32(static_cast<int>(pair))};
#ifdef __AVX512BF16__
  return {_mm512_dpbf16_ps(acc.v, reinterpret_cast<__m512bh>(x.both),
                           reinterpret_cast<__m512bh>(w.both))};
#else
  return fma(second_of(x), second_of(w), fma(first_of(x), first_of(w), acc));
#endif
}

/// Int8 weights of two inputs for each lane, as bf16.
using unpacked_pairs = pair_vec;

/// The low and the high bytes of bf16 0 to 127.
struct magnitude_bytes {
  alignas(64) std::uint8_t low[128], high[128];
};
inline constexpr magnitude_bytes magnitudes = [] {
  magnitude_bytes out{};
  for (int i = 0; i < 128; ++i) {
    const std::uint32_t bits =
        std::bit_cast<std::uint32_t>(static_cast<float>(i));
    out.low[i] = static_cast<std::uint8_t>(bits >> 16);
    out.high[i] = static_cast<std::uint8_t>(bits >> 24);
  }
  return out;
}();

/// The byte of `table` for every magnitude.
inline __m512i look_up(__m512i codes, const std::uint8_t *table) {
  return _mm512_permutex2var_epi8(_mm512_load_si512(table), codes,
                                  _mm512_load_si512(table + 64));
}

/// Unpacks 32 outputs.
inline void unpack_group(const int8_weight *w, pair_vec *out) {
  const __m512i codes = _mm512_loadu_si512(w);
  const __m512i low = look_up(codes, magnitudes.low);
  // high | (codes & 0x80)
  const __m512i high = _mm512_ternarylogic_epi32(
      look_up(codes, magnitudes.high), codes, _mm512_set1_epi8(-0x80), 0xf8);
  out[0] = {_mm512_unpacklo_epi8(low, high)};
  out[1] = {_mm512_unpackhi_epi8(low, high)};
}

struct int_vec {
  __m512i v;
};
inline int_vec set1_int(std::int32_t x) { return {_mm512_set1_epi32(x)}; }
inline int_vec add_int(int_vec a, int_vec b) {
  return {_mm512_add_epi32(a.v, b.v)};
}
inline vec to_floats(int_vec a) { return {_mm512_cvtepi32_ps(a.v)}; }

/// Weights of four inputs for each lane.
struct weight_quads {
  __m512i v;
};
inline weight_quads load_quads(const quad_weight *p) {
  return {_mm512_loadu_si512(p)};
}
/// The first and the last four of eight inputs.
inline void load_nibbles(const nibble_weight *p, weight_quads &low,
                         weight_quads &high) {
  const __m512i both = _mm512_loadu_si512(p), mask = _mm512_set1_epi8(0x0f);
  low.v = _mm512_and_si512(both, mask);
  high.v = _mm512_and_si512(_mm512_srli_epi16(both, 4), mask);
}
/// Four inputs, the same for each lane.
struct input_quads {
  __m512i v;
};
inline input_quads spread_quad(std::uint32_t quad) {
  return {_mm512_set1_epi32(static_cast<int>(quad))};
}
/// Written as the instruction: GCC 12 copies and spills the accumulators of its
/// intrinsic, which takes more than half of the speed.
inline int_vec dot_quads(int_vec acc, weight_quads w, input_quads x) {
  asm("vpdpbusd %2, %1, %0" : "+v"(acc.v) : "v"(w.v), "v"(x.v));
  return acc;
}

/// The sum of `n` inputs, modulo 2^32.
inline std::uint32_t sum_of_inputs(const std::int8_t *x, std::int64_t n) {
  int_vec sums[4] = {set1_int(0), set1_int(0), set1_int(0), set1_int(0)};
  const weight_quads ones{_mm512_set1_epi8(1)};
  std::int64_t i = 0;
  for (; i + 256 <= n; i += 256)
    for (int j = 0; j < 4; ++j)
      sums[j] = dot_quads(sums[j], ones, {_mm512_loadu_si512(x + i + 64 * j)});
  for (; i + 64 <= n; i += 64)
    sums[0] = dot_quads(sums[0], ones, {_mm512_loadu_si512(x + i)});
  if (i < n) {
    const __mmask64 rest = (std::uint64_t{1} << (n - i)) - 1;
    sums[1] = dot_quads(sums[1], ones, {_mm512_maskz_loadu_epi8(rest, x + i)});
  }
  return static_cast<std::uint32_t>(_mm512_reduce_add_epi32(
      add_int(add_int(sums[0], sums[1]), add_int(sums[2], sums[3])).v));
}

/// Rounds half to even numbers from -127 to 127.
inline void store(std::int8_t *p, vec a) {
  _mm_storeu_si128(reinterpret_cast<__m128i *>(p),
                   _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(a.v)));
}

inline constexpr int noise_lanes = 8;

inline __m512i mix_bits(__m512i x) {
  const auto constant = [](std::uint64_t c) {
    return _mm512_set1_epi64(static_cast<long long>(c));
  };
  x = _mm512_add_epi64(x, constant(mix_add));
  x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 30)),
                         constant(mix_first));
  x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 27)),
                         constant(mix_second));
  return _mm512_xor_si512(x, _mm512_srli_epi64(x, 31));
}

/// A bit for each of the tokens from `token` on whose 1 - u is less than
/// weight * bound; see noise.hpp.
inline unsigned contenders(const float *weights, std::uint64_t key,
                           std::uint64_t token, double bound) {
  const __m512i tokens =
      _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(token)),
                       _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
  const __m512i factor =
      _mm512_set1_epi64(static_cast<long long>(token_factor));
  const __m512i bits =
      mix_bits(_mm512_xor_si512(_mm512_set1_epi64(static_cast<long long>(key)),
                                _mm512_mullo_epi64(tokens, factor)));
  const __m512d whole = _mm512_cvtepi64_pd(_mm512_srli_epi64(bits, 12));
  const __m512d complement =
      _mm512_mul_pd(_mm512_sub_pd(_mm512_sub_pd(_mm512_set1_pd(0x1p52), whole),
                                  _mm512_set1_pd(0.5)),
                    _mm512_set1_pd(0x1p-52));
  const __m512d reach = _mm512_mul_pd(_mm512_cvtps_pd(_mm256_loadu_ps(weights)),
                                      _mm512_set1_pd(bound));
  return _mm512_cmp_pd_mask(complement, reach, _CMP_LT_OQ);
}

} // namespace ganglion::neuron::GANGLION_AVX512
