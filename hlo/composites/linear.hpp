// Matrix products with weights: a plain linear layer and the gated pair of a
// SwiGLU-style MLP.
#pragma once

#include "hlo/composite.hpp"
#include "hlo/composites/activation.hpp"

namespace ganglion::hlo {

/// f(x W^T + bias): `x` [T, K] and `weight` [N, K] of one storage type, `bias`
/// [N] or null -> `out` [T, N]. Accumulates in f32 over K in order; bias and
/// activation in f32; rounded once.
///
/// A weight of s8 comes with its `scale`, f32 [N]: its whole numbers are taken
/// as x's type, which holds them exactly, and the f32 sums are multiplied by
/// the output's scale before the bias.
value linear(builder &b, value x, value weight, value bias, activation f,
             element_type out, value scale = nullptr);

/// The two products of a gated pair; biases [N] and scales f32 [N], both or
/// neither.
struct gated_weights {
  value gate, up;
  value gate_bias = nullptr, up_bias = nullptr;
  value gate_scale = nullptr, up_scale = nullptr;
};

/// f(x G^T + g) * (x U^T + u): `x` [T, K], `gate` and `up` [N, K] -> `out`
/// [T, N], as HuggingFace LlamaMLP before its down projection. Operands: x,
/// gate, up, then both scales if quantised, then both biases if any.
value gated_linear(builder &b, value x, const gated_weights &w, activation f,
                   element_type out);

/// hidden + delta (+ bias): f32 [T, H] each, `bias` [H] of any type or null.
/// The bias of a row-parallel layer is added here, once, after the
/// all-reduce.
value residual_add(builder &b, value hidden, value delta, value bias);

} // namespace ganglion::hlo
