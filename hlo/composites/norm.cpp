#include "hlo/composites/norm.hpp"

#include <array>

namespace ganglion::hlo {

namespace {

/// Mean over the last dimension of [T, H]: [T].
value row_mean(builder &b, value x) {
  const value sum = b.reduce(opcode::add, x, 0.0, {1});
  return b.divide(sum, b.filled_like(sum, static_cast<double>(x->form.dim(1))));
}

/// A [T] value spread over [T, H].
value along_rows(builder &b, value x, value like) {
  return b.broadcast(x, like->form.dimensions, {0});
}

/// An [H] parameter in f32 spread over [T, H].
value along_hidden(builder &b, value w, value like) {
  return b.broadcast(b.convert(w, element_type::f32), like->form.dimensions,
                     {1});
}

value inverse_root(builder &b, value variance, double eps) {
  return b.unary(opcode::rsqrt, b.add(variance, b.filled_like(variance, eps)));
}

value scaled_to_unit(builder &b, value x, value weight, double eps) {
  const value square = row_mean(b, b.multiply(x, x));
  const value scale = inverse_root(b, square, eps);
  const value unit = b.multiply(x, along_rows(b, scale, x));
  return b.multiply(along_hidden(b, weight, x), unit);
}

composite_attributes attributes_of(double eps, element_type out) {
  composite_attributes a;
  a.set("eps", eps).set("type", std::string(to_string(out)));
  return a;
}

} // namespace

value rms_norm(builder &b, value x, value weight, double eps,
               element_type out) {
  return composite(
      b, "rms_norm", attributes_of(eps, out), std::array{x, weight},
      [&](builder &body, std::span<const value> p) {
        return body.convert(scaled_to_unit(body, p[0], p[1], eps), out);
      });
}

value head_norm(builder &b, value x, value weight, double eps) {
  return composite(b, "head_norm", attributes_of(eps, element_type::f32),
                   std::array{x, weight},
                   [&](builder &body, std::span<const value> p) {
                     const auto width = p[1]->form.dim(0);
                     const value each =
                         body.reshape(p[0], {p[0]->form.size() / width, width});
                     return body.reshape(scaled_to_unit(body, each, p[1], eps),
                                         p[0]->form.dimensions);
                   });
}

value layer_norm(builder &b, value x, value weight, value bias, double eps,
                 element_type out) {
  return composite(
      b, "layer_norm", attributes_of(eps, out), std::array{x, weight, bias},
      [&](builder &body, std::span<const value> p) {
        const value centred =
            body.subtract(p[0], along_rows(body, row_mean(body, p[0]), p[0]));
        const value variance = row_mean(body, body.multiply(centred, centred));
        const value unit = body.multiply(
            centred, along_rows(body, inverse_root(body, variance, eps), p[0]));
        const value scaled =
            body.multiply(unit, along_hidden(body, p[1], p[0]));
        return body.convert(body.add(scaled, along_hidden(body, p[2], p[0])),
                            out);
      });
}

} // namespace ganglion::hlo
