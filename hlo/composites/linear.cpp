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

value plus_bias(builder &b, value x, value bias) {
  return b.add(x, b.broadcast(b.convert(bias, element_type::f32),
                              x->form.dimensions, {1}));
}

std::vector<value> with_optional(std::vector<value> operands, value extra) {
  if (extra)
    operands.push_back(extra);
  return operands;
}

} // namespace

value linear(builder &b, value x, value weight, value bias, activation f,
             element_type out) {
  return composite(b, "linear", attributes_of(f, out),
                   with_optional({x, weight}, bias),
                   [&](builder &body, std::span<const value> p) {
                     value y = body.dot_transposed(p[0], p[1]);
                     if (p.size() > 2)
                       y = plus_bias(body, y, p[2]);
                     return body.convert(apply_activation(body, f, y), out);
                   });
}

value gated_linear(builder &b, value x, const gated_weights &w, activation f,
                   element_type out) {
  std::vector<value> operands{x, w.gate, w.up};
  if (w.gate_bias)
    operands.insert(operands.end(), {w.gate_bias, w.up_bias});
  return composite(b, "gated_linear", attributes_of(f, out), operands,
                   [&](builder &body, std::span<const value> p) {
                     const bool biased = p.size() > 3;
                     const auto product = [&](std::size_t i) {
                       const value y = body.dot_transposed(p[0], p[i]);
                       return biased ? plus_bias(body, y, p[i + 2]) : y;
                     };
                     const value g = apply_activation(body, f, product(1));
                     return body.convert(body.multiply(g, product(2)), out);
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
