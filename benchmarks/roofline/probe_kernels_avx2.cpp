#include "benchmarks/roofline/probe_kernels.hpp"

#include <immintrin.h>

namespace ganglion::benchmarks {

namespace {

constexpr int chains = 12;

void fused_f32(std::int64_t iterations) {
  __m256 sums[chains];
  for (__m256 &s : sums)
    s = _mm256_setzero_ps();
  __m256 x = _mm256_set1_ps(1.0f), y = _mm256_set1_ps(1e-9f);
  for (std::int64_t i = 0; i < iterations; ++i) {
    asm volatile("" : "+x"(x), "+x"(y));
#pragma GCC unroll 12
    for (__m256 &s : sums)
      s = _mm256_fmadd_ps(x, y, s);
  }
  for (const __m256 &s : sums)
    keep(s);
}

void read(const std::byte *from, std::size_t bytes) {
  __m256i sums[8];
  for (__m256i &s : sums)
    s = _mm256_setzero_si256();
  for (std::size_t i = 0; i < bytes; i += sizeof sums)
#pragma GCC unroll 8
    for (std::size_t j = 0; j < 8; ++j)
      sums[j] = _mm256_xor_si256(
          sums[j], _mm256_load_si256(
                       reinterpret_cast<const __m256i *>(from + i + j * 32)));
  for (const __m256i &s : sums)
    keep(s);
}

constexpr peak_kernel peaks[] = {
    {"f32", "vfmadd 256", 2.0 * 8 * chains, fused_f32}};

} // namespace

const probe_kernels &avx2_probes() {
  static constexpr probe_kernels probes{neuron::isa::avx2, peaks, read};
  return probes;
}

} // namespace ganglion::benchmarks
