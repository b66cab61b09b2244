// Matrix products of int8 activations with int8 weights: rows are quantised one
// by one, products are sums of whole numbers.
#pragma once

#include "hlo/composites/linear.hpp"

namespace ganglion::hlo {

/// Rows in units of a scale of their own: `units` s8 [T, K], `scale` f32
/// [T, 1].
struct int8_rows {
  value units, scale;
};

/// Rows whose scale would be less count as zeros: whatever is left of such
/// small numbers depends on whether denormals are flushed.
inline constexpr double least_row_scale = 0x1p-120;

/// As many products of 127 with 127 as a sum of 32 bits has room for.
inline constexpr std::int64_t most_int8_inputs = 0x7fffffff / (127 * 127);

/// `x` [T, K] of any storage type, as the composites `row_scales` (max |x| /
/// 127, or 0) and `quantise_rows` (x / scale rounded half to even, from -127 to
/// 127; 0 where the scale is 0, infinite or not a number). A row with an
/// infinity or NaN has a scale that is none, and makes products that are NaN.
int8_rows quantise_rows(builder &b, value x);

/// f(x W^T + bias): `weight` s8 [N, K] in units of `scale` f32 [N], `bias` [N]
/// or null -> `out` [T, N]. Sums are exact in s32; what they stand for is
/// (float(sum) * scale of the row) * scale of the output; then bias and
/// activation in f32, and one rounding. Operands: x, w, scale, the rows' scale,
/// bias. Throws `unsupported` for more than `most_int8_inputs` inputs.
value int8_linear(builder &b, const int8_rows &x, value weight, value scale,
                  value bias, activation f, element_type out);

/// f(x G^T + g) * (x U^T + u) of such products; `w` has scales. Operands: x,
/// gate, up, both scales, the rows' scale, both biases if any. Throws likewise.
value gated_int8_linear(builder &b, const int8_rows &x, const gated_weights &w,
                        activation f, element_type out);

} // namespace ganglion::hlo
