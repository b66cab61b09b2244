#include "hlo/composites/moe.hpp"

#include "hlo/composites/linear.hpp"

#include <array>
#include <limits>
#include <vector>

namespace ganglion::hlo {

namespace {

/// A [T] value beside every element of [T, E].
value along_experts(builder &b, value x, const dims &to) {
  return b.broadcast(x, to, {0});
}

value softmax(builder &b, value x) {
  const dims &form = x->form.dimensions;
  const value top = b.reduce(opcode::maximum, x,
                             -std::numeric_limits<double>::infinity(), {1});
  const value e =
      b.unary(opcode::exponential, b.subtract(x, along_experts(b, top, form)));
  const value sum = b.reduce(opcode::add, e, 0.0, {1});
  return b.divide(e, along_experts(b, sum, form));
}

/// Whether fewer than `chosen` experts come before each one: [T, E].
value is_chosen(builder &b, value p, std::int64_t chosen) {
  const auto rows = p->form.dim(0), experts = p->form.dim(1);
  const dims pairs{rows, experts, experts};
  const value mine = b.broadcast(p, pairs, {0, 1});
  const value other = b.broadcast(p, pairs, {0, 2});
  const shape numbers = array_shape(element_type::s32, pairs);
  const value lower =
      b.compare(comparison::lt, b.iota(numbers, 2), b.iota(numbers, 1));
  // Not greater instead of less or equal: a row of NaN chooses as many.
  const value before = b.select(
      lower, b.unary(opcode::not_, b.compare(comparison::gt, mine, other)),
      b.compare(comparison::gt, other, mine));
  const value place =
      b.reduce(opcode::add, b.convert(before, element_type::f32), 0.0, {2});
  return b.compare(comparison::lt, place,
                   b.filled_like(place, static_cast<double>(chosen)));
}

/// gates[:, e] * y where the gate is not zero, else zero.
value gated_term(builder &b, value gates, std::int64_t e, value y) {
  const dims &form = y->form.dimensions;
  const value column = b.reshape(b.slice_in_dim(gates, 1, e, e + 1), {form[0]});
  const value gate = along_experts(b, column, form);
  const value zero = b.filled_like(y, 0.0);
  return b.select(b.compare(comparison::ne, gate, zero), b.multiply(gate, y),
                  zero);
}

} // namespace

value route(builder &b, value logits, std::int64_t chosen) {
  composite_attributes a;
  a.set("chosen", chosen);
  return composite(
      b, "route", a, std::array{logits},
      [&](builder &body, std::span<const value> p) {
        const value all = softmax(body, p[0]);
        const value which = is_chosen(body, all, chosen);
        const value zero = body.filled_like(all, 0.0);
        const value sum =
            body.reduce(opcode::add, body.select(which, all, zero), 0.0, {1});
        return body.select(
            which,
            body.divide(all, along_experts(body, sum, all->form.dimensions)),
            zero);
      });
}

value expert_mlp(builder &b, value x, value gates,
                 std::span<const expert_weights> experts, activation f,
                 std::int64_t chosen) {
  composite_attributes a;
  a.set("activation", std::string(to_string(f))).set("chosen", chosen);
  std::vector<value> operands{x, gates};
  for (const expert_weights &w : experts)
    operands.insert(operands.end(), {w.gate, w.up, w.down});
  for (const expert_weights &w : experts)
    if (w.gate_scale)
      operands.insert(operands.end(), {w.gate_scale, w.up_scale, w.down_scale});
  return composite(b, "expert_mlp", a, operands,
                   [&](builder &body, std::span<const value> p) {
                     value sum = nullptr;
                     for (std::size_t e = 0; e < experts.size(); ++e) {
                       const value *w = &p[2 + 3 * e];
                       gated_weights pair{w[0], w[1]};
                       value down_scale = nullptr;
                       if (w[0]->form.type == element_type::s8) {
                         const value *scales = w + 3 * experts.size();
                         pair.gate_scale = scales[0];
                         pair.up_scale = scales[1];
                         down_scale = scales[2];
                       }
                       const value inner =
                           gated_linear(body, p[0], pair, f, p[0]->form.type);
                       const value y =
                           linear(body, inner, w[2], nullptr, activation::none,
                                  element_type::f32, down_scale);
                       const value term = gated_term(
                           body, p[1], static_cast<std::int64_t>(e), y);
                       sum = sum ? body.add(sum, term) : term;
                     }
                     return sum;
                   });
}

} // namespace ganglion::hlo
