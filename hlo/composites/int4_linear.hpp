// Matrix products of int8 activations with int4 weights, which have a scale for
// every group of inputs.
#pragma once

#include "hlo/composites/int8_linear.hpp"

namespace ganglion::hlo {

/// What is added to a weight so that it has no sign.
inline constexpr int int4_offset = 8;

/// Quantised rows, and the sums s32 [T, ceil(K / group)] of their units over
/// groups of inputs; the last group may be shorter.
struct grouped_rows {
  int8_rows rows;
  value sums = nullptr;
  std::int64_t group = 0;
};

/// As the composite `group_sums` of the units.
grouped_rows group_rows(builder &b, const int8_rows &rows, std::int64_t group);

/// Whether a weight with this scale is one of groups: f16 [N, groups].
bool is_grouped(value scale);

/// f(x W^T + bias): `weight` s8 [N, K] from -7 to 7 in units of `scale` f16
/// [N, groups], `bias` [N] or null -> `out` [T, N]. Sums of a group are exact:
/// that of x (w + 8) less 8 times that of x. They are added in f32 in the order
/// of groups, each as float(sum) * scale; the total times the row's scale; then
/// bias and activation, and one rounding. Operands: x, w, scale, the groups'
/// sums, the rows' scale, bias.
value int4_linear(builder &b, const grouped_rows &x, value weight, value scale,
                  value bias, activation f, element_type out);

/// f(x G^T + g) * (x U^T + u) of such products. Operands: x, gate, up, both
/// scales, the groups' sums, the rows' scale, both biases if any.
value gated_int4_linear(builder &b, const grouped_rows &x,
                        const gated_weights &w, activation f, element_type out);

} // namespace ganglion::hlo
