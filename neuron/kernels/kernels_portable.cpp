#include "neuron/kernels/kernels.hpp"
#include "neuron/kernels/simd_portable.hpp"

#include <type_traits>

#include <math.h>

namespace ganglion::neuron::portable {

#include "neuron/kernels/all_kernels.ipp"

} // namespace ganglion::neuron::portable
