#include "neuron/kernels/kernels.hpp"
#include "neuron/kernels/simd_avx2.hpp"

#include <type_traits>

#include <math.h>

namespace ganglion::neuron::avx2 {

namespace {

#include "neuron/kernels/math.ipp"
// Each part builds on the ones before it.
#include "neuron/kernels/attention.ipp"
#include "neuron/kernels/linear.ipp"
#include "neuron/kernels/merge.ipp"
#include "neuron/kernels/moe.ipp"
#include "neuron/kernels/round.ipp"
#include "neuron/kernels/rows.ipp"
// clang-format sorts within groups only; this one uses rows.ipp.
#include "neuron/kernels/scan.ipp"

} // namespace

extern const kernel_set kernels;
const kernel_set kernels = {
    isa::avx2, linear, norm,       rotary,       round_rows,
    attention, merge,  write_keys, write_values, gather,
    add_rows,  scan,   route,      dispatch,     combine,
};

} // namespace ganglion::neuron::avx2
