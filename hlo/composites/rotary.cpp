#include "hlo/composites/rotary.hpp"

#include <array>

namespace ganglion::hlo {

namespace {

/// Cosines (part 0) or sines (part 1) of the table over [T, heads, D].
value table_part(builder &b, value table, std::int64_t part,
                 std::int64_t heads) {
  const auto rows = table->form.dim(0), half = table->form.dim(2);
  const value cut =
      b.reshape(b.slice_in_dim(table, 1, part, part + 1), {rows, half});
  return b.broadcast(cut, {rows, heads, half}, {0, 2});
}

value rotate(builder &b, value x, value table) {
  const auto heads = x->form.dim(1), width = x->form.dim(2),
             half = table->form.dim(2);
  const value first = b.slice_in_dim(x, 2, 0, half);
  const value second = b.slice_in_dim(x, 2, half, 2 * half);
  const value cosine = table_part(b, table, 0, heads);
  const value sine = table_part(b, table, 1, heads);
  std::vector<value> parts{
      b.subtract(b.multiply(first, cosine), b.multiply(second, sine)),
      b.add(b.multiply(second, cosine), b.multiply(first, sine))};
  if (2 * half < width)
    parts.push_back(b.slice_in_dim(x, 2, 2 * half, width));
  return b.concatenate(parts, 2);
}

value as_heads(builder &b, value x, std::int64_t heads) {
  return b.reshape(x, {x->form.dim(0), heads, x->form.dim(1) / heads});
}

composite_attributes attributes_of(std::int64_t heads, element_type out) {
  composite_attributes a;
  a.set("heads", heads).set("type", std::string(to_string(out)));
  return a;
}

} // namespace

value rotary_table(builder &b, value positions, value frequencies,
                   double scale) {
  composite_attributes a;
  a.set("scale", scale);
  return composite(
      b, "rotary_table", a, std::array{positions, frequencies},
      [&](builder &body, std::span<const value> p) {
        const auto rows = p[0]->form.dim(0), half = p[1]->form.dim(0);
        const value angle =
            body.multiply(body.broadcast(body.convert(p[0], element_type::f32),
                                         {rows, half}, {0}),
                          body.broadcast(p[1], {rows, half}, {1}));
        const auto part = [&](opcode op) {
          const value v = body.unary(op, angle);
          return body.reshape(body.multiply(v, body.filled_like(v, scale)),
                              {rows, 1, half});
        };
        return body.concatenate(
            std::array{part(opcode::cosine), part(opcode::sine)}, 1);
      });
}

value rotary(builder &b, value x, value table, std::int64_t heads,
             element_type out) {
  return composite(b, "rotary", attributes_of(heads, out), std::array{x, table},
                   [&](builder &body, std::span<const value> p) {
                     return body.convert(
                         rotate(body, as_heads(body, p[0], heads), p[1]), out);
                   });
}

value split_heads(builder &b, value x, std::int64_t heads, element_type out) {
  return composite(b, "split_heads", attributes_of(heads, out), std::array{x},
                   [&](builder &body, std::span<const value> p) {
                     return body.convert(as_heads(body, p[0], heads), out);
                   });
}

} // namespace ganglion::hlo
