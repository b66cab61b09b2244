#include "benchmarks/roofline/probe_kernels.hpp"

namespace ganglion::benchmarks {

const probe_kernels &probes_for(neuron::isa set) {
  switch (set) {
  case neuron::isa::avx512:
    return avx512_probes();
  case neuron::isa::avx512_bf16:
    return avx512_bf16_probes();
  case neuron::isa::avx2:
    return avx2_probes();
  case neuron::isa::portable:
    break;
  }
  return portable_probes();
}

} // namespace ganglion::benchmarks
