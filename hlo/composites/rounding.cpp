#include "hlo/composites/rounding.hpp"

#include <array>
#include <limits>

namespace ganglion::hlo {

namespace {

value clamped(builder &b, value x, double limit) {
  const value low = b.maximum(x, b.filled_like(x, -limit));
  return b.binary(opcode::minimum, low, b.filled_like(x, limit));
}

} // namespace

double largest_finite(element_type type) {
  switch (type) {
  case element_type::f16:
    return 65504.0;
  case element_type::bf16:
    return 0x1.fep127;
  default:
    return double(std::numeric_limits<float>::max());
  }
}

value round_rows(builder &b, value x, element_type out, bool saturate) {
  composite_attributes a;
  a.set("type", std::string(to_string(out)));
  if (saturate)
    a.set("limit", largest_finite(out));
  return composite(b, "round_rows", a, std::array{x},
                   [&](builder &body, std::span<const value> p) {
                     const value kept =
                         saturate ? clamped(body, p[0], largest_finite(out))
                                  : p[0];
                     return body.convert(kept, out);
                   });
}

value round_through(builder &b, value x, element_type through) {
  composite_attributes a;
  a.set("type", std::string(to_string(through)));
  return composite(b, "round_through", a, std::array{x},
                   [&](builder &body, std::span<const value> p) {
                     return body.convert(body.convert(p[0], through),
                                         element_type::f32);
                   });
}

} // namespace ganglion::hlo
