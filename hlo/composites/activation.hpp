// The activation functions of decoder MLPs, by HuggingFace's names.
#pragma once

#include "hlo/builder.hpp"

#include <optional>
#include <string_view>

namespace ganglion::hlo {

enum class activation { none, silu, gelu_tanh, gelu_erf, relu };

std::string_view to_string(activation f);
std::optional<activation> activation_from(std::string_view text);

/// `f` applied to an f32 value, in f32.
value apply_activation(builder &b, activation f, value x);

} // namespace ganglion::hlo
