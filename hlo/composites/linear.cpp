#include "hlo/composites/linear.hpp"

#include <array>
#include <vector>

namespace ganglion::hlo {

namespace {

composite_attributes attributes_of(activation f, element_type out) {
  composite_attributes a;
  a.set("activation", std::string(to_string(f)))
      .set("type", std::string(to_string(out)));
  return a;
}

/// A vector of the outputs beside every row of `x`, in f32.
value for_each_row(builder &b, value x, value vector) {
  return b.broadcast(b.convert(vector, element_type::f32), x->form.dimensions,
                     {1});
}

value plus_bias(builder &b, value x, value bias) {
  return b.add(x, for_each_row(b, x, bias));
}

/// x W^T in f32; `scale` is null for a weight that is not quantised.
value product(builder &b, value x, value weight, value scale) {
  if (!scale)
    return b.dot_transposed(x, weight);
  const value sums = b.dot_transposed(x, b.convert(weight, x->form.type));
  return b.multiply(sums, for_each_row(b, sums, scale));
}

bool is_quantised(value weight) {
  return weight->form.type == element_type::s8;
}

std::vector<value> with_optional(std::vector<value> operands, value extra) {
  if (extra)
    operands.push_back(extra);
  return operands;
}

} // namespace

value linear(builder &b, value x, value weight, value bias, activation f,
             element_type out, value scale) {
  return composite(b, "linear", attributes_of(f, out),
                   with_optional(with_optional({x, weight}, scale), bias),
                   [&](builder &body, std::span<const value> p) {
                     const bool scaled = is_quantised(p[1]);
                     value y =
                         product(body, p[0], p[1], scaled ? p[2] : nullptr);
                     if (p.size() > (scaled ? 3 : 2))
                       y = plus_bias(body, y, p.back());
                     return body.convert(apply_activation(body, f, y), out);
                   });
}

value gated_linear(builder &b, value x, const gated_weights &w, activation f,
                   element_type out) {
  std::vector<value> operands{x, w.gate, w.up};
  if (w.gate_scale)
    operands.insert(operands.end(), {w.gate_scale, w.up_scale});
  if (w.gate_bias)
    operands.insert(operands.end(), {w.gate_bias, w.up_bias});
  return composite(
      b, "gated_linear", attributes_of(f, out), operands,
      [&](builder &body, std::span<const value> p) {
        const bool scaled = is_quantised(p[1]);
        const std::size_t biases = scaled ? 5 : 3;
        const auto one = [&](std::size_t i) {
          const value y =
              product(body, p[0], p[1 + i], scaled ? p[3 + i] : nullptr);
          return p.size() > biases ? plus_bias(body, y, p[biases + i]) : y;
        };
        const value g = apply_activation(body, f, one(0));
        return body.convert(body.multiply(g, one(1)), out);
      });
}

value residual_add(builder &b, value hidden, value delta, value bias) {
  return composite(b, "residual_add", {}, with_optional({hidden, delta}, bias),
                   [](builder &body, std::span<const value> p) {
                     const value delta_in =
                         p.size() > 2 ? plus_bias(body, p[1], p[2]) : p[1];
                     return body.add(p[0], delta_in);
                   });
}

} // namespace ganglion::hlo
