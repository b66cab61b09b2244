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
        const value square = row_mean(body, body.multiply(p[0], p[0]));
        const value scale = inverse_root(body, square, eps);
        const value unit = body.multiply(p[0], along_rows(body, scale, p[0]));
        return body.convert(body.multiply(along_hidden(body, p[1], p[0]), unit),
                            out);
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
