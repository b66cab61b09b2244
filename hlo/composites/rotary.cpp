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

/// Cosines and sines of position * frequency, [T, 2, half].
value table_of(builder &b, value positions, value frequencies, double scale) {
  const dims all = frequencies->form.dimensions;
  const value angle =
      b.multiply(b.broadcast(b.convert(positions, element_type::f32), all, {0}),
                 frequencies);
  const auto part = [&](opcode op) {
    const value v = b.unary(op, angle);
    return b.reshape(b.multiply(v, b.filled_like(v, scale)),
                     {all[0], 1, all[1]});
  };
  return b.concatenate(std::array{part(opcode::cosine), part(opcode::sine)}, 1);
}

/// 1 / theta(length) ^ (2 i / d), [T, half].
value frequencies_of(builder &b, value lengths, const dynamic_frequencies &f) {
  const dims all{lengths->form.dim(0), f.half};
  const double d = 2.0 * double(f.half);
  const value length = b.convert(lengths, element_type::f32);
  const value counted = b.maximum(length, b.filled_like(length, f.original));
  const value scaled =
      b.divide(b.multiply(counted, b.filled_like(counted, f.factor)),
               b.filled_like(counted, f.original));
  const value ratio = b.subtract(scaled, b.filled_like(scaled, f.factor - 1));
  const value theta = b.multiply(
      b.binary(opcode::power, ratio, b.filled_like(ratio, d / (d - 2))),
      b.filled_like(ratio, f.theta));
  const value i = b.iota(array_shape(element_type::f32, all), 1);
  const value exponent = b.multiply(i, b.filled_like(i, -2.0 / d));
  return b.binary(opcode::power, b.broadcast(theta, all, {0}), exponent);
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
  return composite(b, "rotary_table", a, std::array{positions, frequencies},
                   [&](builder &body, std::span<const value> p) {
                     const dims all{p[0]->form.dim(0), p[1]->form.dim(0)};
                     return table_of(body, p[0], body.broadcast(p[1], all, {1}),
                                     scale);
                   });
}

value dynamic_rotary_table(builder &b, value positions, value lengths,
                           const dynamic_frequencies &f) {
  composite_attributes a;
  a.set("theta", f.theta)
      .set("factor", f.factor)
      .set("original", f.original)
      .set("half", f.half);
  return composite(b, "dynamic_rotary_table", a, std::array{positions, lengths},
                   [&](builder &body, std::span<const value> p) {
                     return table_of(body, p[0], frequencies_of(body, p[1], f),
                                     1.0);
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

} // namespace ganglion::hlo
