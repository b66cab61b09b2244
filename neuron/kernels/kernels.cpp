#include "neuron/kernels/kernels.hpp"

#include <cmath>

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
namespace avx512_bf16 {
extern const kernel_set kernels;
}

const kernel_set &kernels_for(isa set) {
  switch (set) {
  case isa::avx2:
    return avx2::kernels;
  case isa::avx512:
    return avx512::kernels;
  case isa::avx512_bf16:
    return avx512_bf16::kernels;
  default:
    return portable::kernels;
  }
}

vocabulary_scan joined_scan(const vocabulary_scan *parts, std::int64_t count) {
  vocabulary_scan all = parts[0];
  std::int64_t best = 0;
  for (std::int64_t p = 1; p < count; ++p)
    if (parts[p].max > parts[best].max)
      best = p;
  all.max = parts[best].max;
  all.sum_exp = 0;
  for (std::int64_t p = 0; p < count; ++p)
    all.sum_exp += parts[p].sum_exp * std::exp(double(parts[p].max) - all.max);
  return all;
}

} // namespace ganglion::neuron
