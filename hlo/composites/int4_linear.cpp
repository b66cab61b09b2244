#include "hlo/composites/int4_linear.hpp"

#include "hlo/composites/product_parts.hpp"

#include <array>
#include <vector>

namespace ganglion::hlo {

namespace {

/// [R, K] as [R, groups, group], zeros at the end.
value in_groups(builder &b, value x, std::int64_t group) {
  const auto rows = x->form.dim(0), k = x->form.dim(1);
  const auto groups = (k + group - 1) / group;
  if (groups * group != k)
    x = b.pad(x, b.constant_real(x->form.type, 0.0),
              {{}, {0, groups * group - k, 0}});
  return b.reshape(x, {rows, groups, group});
}

/// One product before the activation; `bias` or null.
value product(builder &b, value x, value weight, value scale, value sums,
              value row_scale, value bias, std::int64_t group) {
  const value raised = b.add(weight, b.filled_like(weight, int4_offset));
  // [groups, T, N].
  const value dots = b.dot(in_groups(b, x, group), in_groups(b, raised, group),
                           {{2}, {2}, {1}, {1}}, element_type::s32);
  const dims &all = dots->form.dimensions;
  const value offset = b.multiply(sums, b.filled_like(sums, int4_offset));
  const value whole = b.subtract(dots, b.broadcast(offset, all, {1, 0}));
  const value scales =
      b.broadcast(b.convert(scale, element_type::f32), all, {2, 0});
  const value total = b.reduce(
      opcode::add, b.multiply(b.convert(whole, element_type::f32), scales), 0.0,
      {0});
  const value y = b.multiply(total, along_rows(b, total, row_scale));
  return bias ? b.add(y, along_columns(b, y, bias)) : y;
}

composite_attributes attributes_of(const grouped_rows &x, activation f,
                                   element_type out) {
  return product_attributes(f, out).set("group", x.group);
}

} // namespace

grouped_rows group_rows(builder &b, const int8_rows &rows, std::int64_t group) {
  const value sums = composite(
      b, "group_sums", composite_attributes().set("group", group),
      std::array{rows.units}, [&](builder &body, std::span<const value> p) {
        return body.reduce(
            opcode::add,
            body.convert(in_groups(body, p[0], group), element_type::s32), 0.0,
            {2});
      });
  return {rows, sums, group};
}

bool is_grouped(value scale) { return scale && scale->form.rank() == 2; }

value int4_linear(builder &b, const grouped_rows &x, value weight, value scale,
                  value bias, activation f, element_type out) {
  std::vector<value> operands{x.rows.units, weight, scale, x.sums,
                              x.rows.scale};
  if (bias)
    operands.push_back(bias);
  return composite(b, "int4_linear", attributes_of(x, f, out), operands,
                   [&](builder &body, std::span<const value> p) {
                     const value y =
                         product(body, p[0], p[1], p[2], p[3], p[4],
                                 p.size() > 5 ? p[5] : nullptr, x.group);
                     return body.convert(apply_activation(body, f, y), out);
                   });
}

value gated_int4_linear(builder &b, const grouped_rows &x,
                        const gated_weights &w, activation f,
                        element_type out) {
  std::vector<value> operands{x.rows.units, w.gate, w.up,        w.gate_scale,
                              w.up_scale,   x.sums, x.rows.scale};
  if (w.gate_bias)
    operands.insert(operands.end(), {w.gate_bias, w.up_bias});
  return composite(b, "gated_int4_linear", attributes_of(x, f, out), operands,
                   [&](builder &body, std::span<const value> p) {
                     const auto one = [&](std::size_t i) {
                       return product(body, p[0], p[1 + i], p[3 + i], p[5],
                                      p[6], p.size() > 7 ? p[7 + i] : nullptr,
                                      x.group);
                     };
                     const value g = apply_activation(body, f, one(0));
                     return body.convert(body.multiply(g, one(1)), out);
                   });
}

} // namespace ganglion::hlo
