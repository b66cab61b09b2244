#include "neuron/kernels/kernels.hpp"

namespace ganglion::neuron {

namespace portable {
extern const kernel_set kernels;
}
namespace avx2 {
extern const kernel_set kernels;
}
namespace avx512 {
extern const kernel_set kernels;
}

const kernel_set &kernels_for(isa set) {
  switch (set) {
  case isa::avx2:
    return avx2::kernels;
  case isa::avx512:
    return avx512::kernels;
  default:
    return portable::kernels;
  }
}

} // namespace ganglion::neuron
