#include "neuron/kernels/kernels.hpp"
#include "neuron/kernels/simd_avx512.hpp"

#include <type_traits>

#include <math.h>

namespace ganglion::neuron::avx512 {

#include "neuron/kernels/all_kernels.ipp"

} // namespace ganglion::neuron::avx512
