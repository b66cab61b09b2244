// Normalisation over the hidden dimension: RMSNorm and LayerNorm.
#pragma once

#include "hlo/composite.hpp"

namespace ganglion::hlo {

/// x * rsqrt(mean(x^2) + eps) * weight, as HuggingFace LlamaRMSNorm. `x` f32
/// [T, H], `weight` [H] -> `out` [T, H]: computed in f32, rounded once.
value rms_norm(builder &b, value x, value weight, double eps, element_type out);

/// RMSNorm of every head on its own: `x` f32 [T, heads * d], `weight` [d], the
/// same for all heads, -> f32 [T, heads * d] (HuggingFace Qwen3's q_norm).
value head_norm(builder &b, value x, value weight, double eps);

/// (x - mean) * rsqrt(variance + eps) * weight + bias, as torch LayerNorm.
/// `x` f32 [T, H], `weight` and `bias` [H] -> `out` [T, H].
value layer_norm(builder &b, value x, value weight, value bias, double eps,
                 element_type out);

} // namespace ganglion::hlo
