// Mixture of experts: which experts a row is sent to, and the sum of what they
// make of it.
#pragma once

#include "hlo/composite.hpp"
#include "hlo/composites/activation.hpp"

namespace ganglion::hlo {

/// The weight of every expert in a row: `logits` f32 [T, E] -> gates f32
/// [T, E]. A softmax over all experts; its `chosen` largest values, the lower
/// number first among equals, are scaled to sum 1 and all others are zero
/// (HuggingFace MixtralSparseMoeBlock).
value route(builder &b, value logits, std::int64_t chosen);

/// One expert: a gated MLP without biases.
struct expert_weights {
  value gate, up; ///< [N, K]
  value down;     ///< [K, N]
  /// Of s8 weights: f32 [N], [N] and [K]; see linear.hpp.
  value gate_scale = nullptr, up_scale = nullptr, down_scale = nullptr;
};

/// sum over e, in ascending order, of gates[:, e] * (f(x G_e^T) * (x U_e^T))
/// D_e^T: `x` [T, K] of the weights' type, `gates` f32 [T, E] -> f32 [T, K].
/// What enters D_e is rounded to x's type; gates and sums are f32. An expert
/// with a zero gate is not looked at, whatever it would have made of the row.
/// At most `chosen` gates of a row may differ from zero.
value expert_mlp(builder &b, value x, value gates,
                 std::span<const expert_weights> experts, activation f,
                 std::int64_t chosen);

} // namespace ganglion::hlo
