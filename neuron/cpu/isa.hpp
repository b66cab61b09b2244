// Which instruction sets this machine has and which one kernels use.
#pragma once

#include <string_view>
#include <vector>

namespace ganglion::neuron {

/// In rising order of preference. avx512 means F, BW, VL, DQ, VBMI and VNNI.
enum class isa { portable, avx2, avx512, avx512_bf16 };

std::string_view to_string(isa set);

/// What this machine can run, best last.
std::vector<isa> available_isas();

/// The one called `name`, or the best for an empty name. Throws
/// `invalid_argument` (field GANGLION_ISA) listing what is available when the
/// name is unknown or the machine lacks it.
isa isa_named(std::string_view name);

/// The best one, or the one named by the environment variable GANGLION_ISA.
/// Decided once; throws what `isa_named` throws.
isa selected_isa();

} // namespace ganglion::neuron
