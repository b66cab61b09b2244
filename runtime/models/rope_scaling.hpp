// Rotary frequencies with the scalings of HuggingFace's rope_scaling field.
#pragma once

#include "hlo/decoder/spec.hpp"
#include "runtime/json/reader.hpp"

namespace ganglion::runtime {

/// Frequencies theta^(-2i / width) for `width` rotated dimensions, adjusted as
/// `config`'s rope_scaling says: none, "default", "linear" or "llama3"
/// (modeling_rope_utils). Throws `unsupported` naming another kind.
hlo::rotary_spec rotary_of(const json::value &config, std::int64_t width);

} // namespace ganglion::runtime
