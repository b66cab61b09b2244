// Rotary frequencies with the scalings of HuggingFace's rope_scaling field.
#pragma once

#include "hlo/decoder/spec.hpp"
#include "runtime/json/reader.hpp"

#include <optional>
#include <string>

namespace ganglion::runtime {

/// config.json's rope_scaling, or rope_parameters as newer ones call it;
/// nothing if it has neither.
std::optional<json::value> rope_settings(const json::value &config);

/// The kind of scaling. Throws `unsupported` for settings that name none.
std::string rope_kind(const json::value &settings);

/// Frequencies theta^(-2i / width) for `width` rotated dimensions, adjusted as
/// `config` says: not at all, "default", "linear", "dynamic", "llama3" or
/// "yarn" (modeling_rope_utils); theta stands in the field `theta_field` or in
/// rope_parameters, 10000 when absent. Throws `unsupported` naming another
/// kind, `invalid_argument` for numbers that give no frequencies.
hlo::rotary_spec rotary_of(const json::value &config, std::int64_t width,
                           const std::string &theta_field = "rope_theta");

} // namespace ganglion::runtime
