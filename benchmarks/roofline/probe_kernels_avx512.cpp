#include "benchmarks/roofline/probe_kernels.hpp"

#include <immintrin.h>

namespace ganglion::benchmarks {

namespace {

constexpr int chains = 16;

void fused_f32(std::int64_t iterations) {
  __m512 sums[chains];
  for (__m512 &s : sums)
    s = _mm512_setzero_ps();
  __m512 x = _mm512_set1_ps(1.0f), y = _mm512_set1_ps(1e-9f);
  for (std::int64_t i = 0; i < iterations; ++i) {
    asm volatile("" : "+v"(x), "+v"(y));
#pragma GCC unroll 16
    for (__m512 &s : sums)
      s = _mm512_fmadd_ps(x, y, s);
  }
  for (const __m512 &s : sums)
    keep(s);
}

void pairs_bf16(std::int64_t iterations) {
  __m512 sums[chains];
  for (__m512 &s : sums)
    s = _mm512_setzero_ps();
  // 1 and 2^-30 as bfloat16, twice each.
  __m512i x = _mm512_set1_epi32(0x3f803f80), y = _mm512_set1_epi32(0x30803080);
  for (std::int64_t i = 0; i < iterations; ++i) {
    asm volatile("" : "+v"(x), "+v"(y));
#pragma GCC unroll 16
    for (__m512 &s : sums)
      s = _mm512_dpbf16_ps(s, (__m512bh)x, (__m512bh)y);
  }
  for (const __m512 &s : sums)
    keep(s);
}

void quads_int8(std::int64_t iterations) {
  __m512i sums[chains];
  for (__m512i &s : sums)
    s = _mm512_setzero_si512();
  __m512i x = _mm512_set1_epi8(1), y = _mm512_set1_epi8(1);
  for (std::int64_t i = 0; i < iterations; ++i) {
    asm volatile("" : "+v"(x), "+v"(y));
#pragma GCC unroll 16
    for (__m512i &s : sums)
      s = _mm512_dpbusd_epi32(s, x, y);
  }
  for (const __m512i &s : sums)
    keep(s);
}

void read(const std::byte *from, std::size_t bytes) {
  __m512i sums[8];
  for (__m512i &s : sums)
    s = _mm512_setzero_si512();
  for (std::size_t i = 0; i < bytes; i += sizeof sums)
#pragma GCC unroll 8
    for (std::size_t j = 0; j < 8; ++j)
      sums[j] = _mm512_xor_si512(sums[j], _mm512_load_si512(from + i + j * 64));
  for (const __m512i &s : sums)
    keep(s);
}

constexpr peak_kernel peaks[] = {
    {"f32", "vfmadd 512", 2.0 * 16 * chains, fused_f32},
    {"int8", "vpdpbusd 512", 2.0 * 64 * chains, quads_int8},
    {"bf16", "vdpbf16ps 512", 2.0 * 32 * chains, pairs_bf16}};

} // namespace

const probe_kernels &avx512_probes() {
  static constexpr probe_kernels probes{
      neuron::isa::avx512, std::span(peaks).first(2), read}; // without bf16
  return probes;
}

const probe_kernels &avx512_bf16_probes() {
  static constexpr probe_kernels probes{neuron::isa::avx512_bf16, peaks, read};
  return probes;
}

} // namespace ganglion::benchmarks
