#include "hlo/composites/int8_linear.hpp"

#include "hlo/composites/product_parts.hpp"
#include "hlo/support/error.hpp"

#include <array>
#include <vector>

namespace ganglion::hlo {

namespace {

constexpr double largest_float = 0x1.fffffep127;

value scales_of(builder &b, value rows) {
  const value x = b.convert(rows, element_type::f32);
  const value most =
      b.reduce(opcode::maximum, b.unary(opcode::abs, x), 0.0, {1});
  const value scale = b.divide(most, b.filled_like(most, 127.0));
  const value tiny =
      b.compare(comparison::lt, scale, b.filled_like(scale, least_row_scale));
  return b.reshape(b.select(tiny, b.filled_like(scale, 0.0), scale),
                   {rows->form.dim(0), 1});
}

value units_of(builder &b, value rows, value scales) {
  const value x = b.convert(rows, element_type::f32);
  const value scale = along_rows(b, x, scales);
  const value zero = b.filled_like(x, 0.0);
  const value finite =
      b.compare(comparison::le, scale, b.filled_like(x, largest_float));
  const value units =
      b.select(b.compare(comparison::gt, scale, zero),
               b.select(finite, b.divide(x, scale), zero), zero);
  const value whole = b.unary(opcode::round_nearest_even, units);
  return b.convert(
      b.clamp(b.filled_like(x, -127.0), whole, b.filled_like(x, 127.0)),
      element_type::s8);
}

void check_inputs(const int8_rows &x) {
  const auto k = x.units->form.dim(1);
  if (k > most_int8_inputs)
    throw error(error_code::unsupported,
                "int8 products of " + std::to_string(k) +
                    " inputs; accepted: at most " +
                    std::to_string(most_int8_inputs),
                x.units->name);
}

/// One product before the activation; `bias` or null.
value product(builder &b, value x, value weight, value scale, value row_scale,
              value bias) {
  const value sums =
      b.convert(b.dot(x, weight, {{1}, {1}, {}, {}}, element_type::s32),
                element_type::f32);
  const value in_rows = b.multiply(sums, along_rows(b, sums, row_scale));
  const value y = b.multiply(in_rows, along_columns(b, sums, scale));
  return bias ? b.add(y, along_columns(b, y, bias)) : y;
}

} // namespace

int8_rows quantise_rows(builder &b, value x) {
  const value scale = composite(b, "row_scales", {}, std::array{x},
                                [](builder &body, std::span<const value> p) {
                                  return scales_of(body, p[0]);
                                });
  const value units = composite(b, "quantise_rows", {}, std::array{x, scale},
                                [](builder &body, std::span<const value> p) {
                                  return units_of(body, p[0], p[1]);
                                });
  return {units, scale};
}

value int8_linear(builder &b, const int8_rows &x, value weight, value scale,
                  value bias, activation f, element_type out) {
  check_inputs(x);
  std::vector<value> operands{x.units, weight, scale, x.scale};
  if (bias)
    operands.push_back(bias);
  return composite(b, "int8_linear", product_attributes(f, out), operands,
                   [&](builder &body, std::span<const value> p) {
                     const value y = product(body, p[0], p[1], p[2], p[3],
                                             p.size() > 4 ? p[4] : nullptr);
                     return body.convert(apply_activation(body, f, y), out);
                   });
}

value gated_int8_linear(builder &b, const int8_rows &x, const gated_weights &w,
                        activation f, element_type out) {
  check_inputs(x);
  std::vector<value> operands{x.units,      w.gate,     w.up,
                              w.gate_scale, w.up_scale, x.scale};
  if (w.gate_bias)
    operands.insert(operands.end(), {w.gate_bias, w.up_bias});
  return composite(b, "gated_int8_linear", product_attributes(f, out), operands,
                   [&](builder &body, std::span<const value> p) {
                     const auto one = [&](std::size_t i) {
                       return product(body, p[0], p[1 + i], p[3 + i], p[5],
                                      p.size() > 6 ? p[6 + i] : nullptr);
                     };
                     const value g = apply_activation(body, f, one(0));
                     return body.convert(body.multiply(g, one(1)), out);
                   });
}

} // namespace ganglion::hlo
