// Loops that run at the limit of a core, one table per instruction set: what
// kernels are compared with.
#pragma once

#include "neuron/cpu/isa.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ganglion::benchmarks {

/// Multiply-adds on registers alone, in enough independent chains to hide
/// their latency.
struct peak_kernel {
  std::string_view type;        ///< "f32", "bf16", "int8"
  std::string_view instruction; ///< "vfmadd 512"
  double operations;            ///< per iteration; a multiply-add is two
  void (*run)(std::int64_t iterations);
};

struct probe_kernels {
  neuron::isa set;
  std::span<const peak_kernel> peaks;
  /// Reads a buffer in order, as one stream. `bytes` is a multiple of 512.
  void (*read)(const std::byte *from, std::size_t bytes);
};

/// The probes of an instruction set that the machine has.
const probe_kernels &probes_for(neuron::isa set);

const probe_kernels &portable_probes();
const probe_kernels &avx2_probes();
const probe_kernels &avx512_probes();
const probe_kernels &avx512_bf16_probes();

/// Makes the optimiser believe that `value` is used.
template <class T>
inline void keep(const T &value) {
  asm volatile("" : : "m"(value) : "memory");
}

} // namespace ganglion::benchmarks
