#include "benchmarks/roofline/probe_kernels.hpp"

namespace ganglion::benchmarks {

namespace {

using floats = float __attribute__((vector_size(16)));
using words = std::uint64_t __attribute__((vector_size(16), may_alias));

constexpr int chains = 8;

/// A multiplication and an addition: the base instruction set has no fusion.
void multiply_add(std::int64_t iterations) {
  floats sums[chains] = {};
  floats x = {1, 1, 1, 1}, y = {1e-9f, 1e-9f, 1e-9f, 1e-9f};
  for (std::int64_t i = 0; i < iterations; ++i) {
    asm volatile("" : "+x"(x), "+x"(y));
    for (floats &s : sums)
      s = s * x + y;
  }
  for (const floats &s : sums)
    keep(s);
}

void read(const std::byte *from, std::size_t bytes) {
  words sums[8] = {};
  for (std::size_t i = 0; i < bytes; i += sizeof sums)
    for (std::size_t j = 0; j < 8; ++j)
      sums[j] ^= *reinterpret_cast<const words *>(from + i + j * sizeof(words));
  for (const words &s : sums)
    keep(s);
}

constexpr peak_kernel peaks[] = {
    {"f32", "mulps + addps 128", 2.0 * 4 * chains, multiply_add}};

} // namespace

const probe_kernels &portable_probes() {
  static constexpr probe_kernels probes{neuron::isa::portable, peaks, read};
  return probes;
}

} // namespace ganglion::benchmarks
