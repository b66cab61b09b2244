// Rotary frequencies with the scalings of HuggingFace's rope_scaling field.
#pragma once

#include "hlo/decoder/spec.hpp"
#include "runtime/json/reader.hpp"

namespace ganglion::runtime {

/// Frequencies theta^(-2i / width) for `width` rotated dimensions, adjusted as
/// `config`'s rope_scaling says: none, "default", "linear", "dynamic",
/// "llama3" or "yarn"
/// (modeling_rope_utils); theta stands in the field `theta_field`, 10000 when
/// absent. Throws `unsupported` naming another kind.
hlo::rotary_spec rotary_of(const json::value &config, std::int64_t width,
                           const std::string &theta_field = "rope_theta");

} // namespace ganglion::runtime
