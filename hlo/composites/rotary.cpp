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

/// One element of every pair, [T, heads, D].
value pair_part(builder &b, value x, std::int64_t part, std::int64_t half,
                rotary_pairs pairs) {
  if (pairs == rotary_pairs::halves)
    return b.slice_in_dim(x, 2, part * half, (part + 1) * half);
  const auto rows = x->form.dim(0), heads = x->form.dim(1);
  const value both =
      b.reshape(b.slice_in_dim(x, 2, 0, 2 * half), {rows, heads, half, 2});
  return b.reshape(b.slice_in_dim(both, 3, part, part + 1),
                   {rows, heads, half});
}

value join_pairs(builder &b, value first, value second, rotary_pairs pairs) {
  if (pairs == rotary_pairs::halves)
    return b.concatenate(std::array{first, second}, 2);
  const auto rows = first->form.dim(0), heads = first->form.dim(1),
             half = first->form.dim(2);
  const auto column = [&](value v) {
    return b.reshape(v, {rows, heads, half, 1});
  };
  return b.reshape(b.concatenate(std::array{column(first), column(second)}, 3),
                   {rows, heads, 2 * half});
}

value rotate(builder &b, value x, value table, rotary_pairs pairs) {
  const auto heads = x->form.dim(1), width = x->form.dim(2),
             half = table->form.dim(2);
  const value first = pair_part(b, x, 0, half, pairs);
  const value second = pair_part(b, x, 1, half, pairs);
  const value cosine = table_part(b, table, 0, heads);
  const value sine = table_part(b, table, 1, heads);
  const value turned = join_pairs(
      b, b.subtract(b.multiply(first, cosine), b.multiply(second, sine)),
      b.add(b.multiply(second, cosine), b.multiply(first, sine)), pairs);
  if (2 * half == width)
    return turned;
  return b.concatenate(
      std::array{turned, b.slice_in_dim(x, 2, 2 * half, width)}, 2);
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
             rotary_pairs pairs, element_type out) {
  composite_attributes a = attributes_of(heads, out);
  if (pairs == rotary_pairs::interleaved)
    a.set("pairs", std::string("interleaved"));
  return composite(b, "rotary", a, std::array{x, table},
                   [&](builder &body, std::span<const value> p) {
                     return body.convert(
                         rotate(body, as_heads(body, p[0], heads), p[1], pairs),
                         out);
                   });
}

value split_heads(builder &b, value x, std::int64_t heads, element_type out) {
  return composite(b, "split_heads", attributes_of(heads, out), std::array{x},
                   [&](builder &body, std::span<const value> p) {
                     return body.convert(as_heads(body, p[0], heads), out);
                   });
}

value round_rows(builder &b, value x, element_type out) {
  composite_attributes a;
  a.set("type", std::string(to_string(out)));
  return composite(b, "round_rows", a, std::array{x},
                   [&](builder &body, std::span<const value> p) {
                     return body.convert(p[0], out);
                   });
}

} // namespace ganglion::hlo
