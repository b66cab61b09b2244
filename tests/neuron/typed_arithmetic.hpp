// Elementwise operations in random modules.
#pragma once

#include "tests/neuron/typed_pool.hpp"

namespace ganglion::testing {

class typed_arithmetic : public typed_pool {
protected:
  using typed_pool::typed_pool;

  value real(value like_this, double v) { return b_.filled_like(like_this, v); }
  value within(value x, double most) {
    return b_.clamp(b_.constant_real(element_type::f32, -most), x,
                    b_.constant_real(element_type::f32, most));
  }

  /// Functions without jumps, where they are defined and not steep.
  void smooth() {
    static constexpr opcode anywhere[] = {
        opcode::tanh, opcode::logistic, opcode::sine, opcode::cosine,
        opcode::erf,  opcode::cbrt,     opcode::abs,  opcode::negate};
    static constexpr opcode bounded[] = {
        opcode::exponential, opcode::exponential_minus_one, opcode::tan};
    static constexpr opcode positive[] = {opcode::log, opcode::log_plus_one,
                                          opcode::sqrt, opcode::rsqrt};
    const auto x = any_real();
    if (!x)
      return;
    const value v = x->v;
    switch (below(4)) {
    case 0: {
      const opcode op = pick(anywhere);
      const bool same = op == opcode::abs || op == opcode::negate;
      return keep_real(b_.unary(op, v), same && x->exact,
                       std::max(x->bound, 1.0), x->scale);
    }
    case 1:
      return keep_real(b_.unary(pick(bounded), within(v, 1)), false, 3, 0);
    case 2:
      return keep_real(b_.unary(pick(positive),
                                b_.add(b_.unary(opcode::abs, v), real(v, 1))),
                       false, 1 + x->bound, 0);
    default: {
      const value y = like(*x).v;
      const value base =
          b_.add(b_.unary(opcode::abs, within(v, 2)), real(v, 1));
      return keep_real(below(2) ? b_.binary(opcode::power, base, within(y, 2))
                                : b_.binary(opcode::atan2, y, base),
                       false, 9, 0);
    }
    }
  }

  /// Functions with jumps.
  void rough() {
    static constexpr opcode ops[] = {opcode::floor, opcode::ceil,
                                     opcode::round_nearest_even,
                                     opcode::round_nearest_afz, opcode::sign};
    if (const auto x = any_real(true))
      keep_real(b_.unary(pick(ops), x->v), true, x->bound + 1, 0);
  }

  void exact_sum() {
    const auto x = any_real();
    if (!x)
      return;
    const term y = like(*x);
    const bool both = x->exact && y.exact;
    const int scale = std::max(x->scale, y.scale);
    switch (below(5)) {
    case 0:
      return keep_real(b_.add(x->v, y.v), both, x->bound + y.bound, scale);
    case 1:
      return keep_real(b_.subtract(x->v, y.v), both, x->bound + y.bound, scale);
    case 2:
      return keep_real(b_.multiply(x->v, y.v), both, x->bound * y.bound,
                       x->scale + y.scale);
    case 3:
      return keep_real(b_.maximum(x->v, y.v), both, std::max(x->bound, y.bound),
                       scale);
    default:
      return keep_real(b_.binary(opcode::minimum, x->v, y.v), both,
                       std::max(x->bound, y.bound), scale);
    }
  }

  void quotient() {
    const auto x = any_real();
    if (!x)
      return;
    const value over =
        b_.add(b_.unary(opcode::abs, like(*x).v), real(x->v, 0.5));
    keep_real(b_.divide(x->v, over), false, 2 * x->bound, 0);
    if (x->exact)
      keep_real(b_.binary(opcode::remainder, x->v, real(x->v, 1.5)), true, 1.5,
                std::max(x->scale, 1));
  }

  void integers() {
    static constexpr opcode ops[] = {opcode::add,
                                     opcode::subtract,
                                     opcode::multiply,
                                     opcode::divide,
                                     opcode::remainder,
                                     opcode::maximum,
                                     opcode::minimum,
                                     opcode::and_,
                                     opcode::or_,
                                     opcode::xor_,
                                     opcode::shift_left,
                                     opcode::shift_right_logical,
                                     opcode::shift_right_arithmetic};
    if (const auto x = any_integer())
      keep({b_.binary(pick(ops), x->v, like(*x).v)});
  }

  void integer_unary() {
    static constexpr opcode ops[] = {opcode::not_, opcode::population_count,
                                     opcode::count_leading_zeros};
    static constexpr opcode of_signed[] = {opcode::abs, opcode::negate,
                                           opcode::sign};
    if (const auto x = any_integer())
      keep({b_.unary(is_signed(x->v->form.type) && below(2) ? pick(of_signed)
                                                            : pick(ops),
                     x->v)});
  }

  void logic() {
    static constexpr opcode ops[] = {opcode::and_, opcode::or_, opcode::xor_};
    const auto x = find(
        [](const term &t) { return t.v->form.type == element_type::pred; });
    if (x)
      keep({b_.unary(opcode::not_, b_.binary(pick(ops), x->v, like(*x).v))});
  }

  void compare() {
    static constexpr hlo::comparison directions[] = {
        hlo::comparison::eq, hlo::comparison::ne, hlo::comparison::ge,
        hlo::comparison::gt, hlo::comparison::le, hlo::comparison::lt};
    const auto x = find([](const term &t) { return t.exact; });
    const term y = like(*x);
    hlo::attributes a;
    a.direction = directions[below(6)];
    a.total_order = is_floating(x->v->form.type) && below(2);
    keep({b_.append(opcode::compare, {x->v, y.v}, std::move(a))});
    if (x->v->form.type == element_type::f32)
      keep({b_.unary(opcode::is_finite, x->v)});
  }

  void choose() {
    const auto x = any_array();
    const term y = like(*x);
    const auto which = find([&](const term &t) {
      return t.v->form.type == element_type::pred &&
             t.v->form.dimensions == x->v->form.dimensions;
    });
    if (which)
      keep({b_.select(which->v, x->v, y.v), x->exact && y.exact,
            std::max(x->bound, y.bound), std::max(x->scale, y.scale)});
    if (x->v->form.type == element_type::f32)
      keep_real(within(x->v, 2), x->exact, 2, x->scale);
  }

  void convert() {
    using enum element_type;
    static constexpr element_type types[] = {f32, s32, s64, u32,
                                             s8,  u8,  f64, pred};
    const auto x = find([](const term &t) { return t.exact; });
    const auto to = types[below(std::size(types))];
    const auto from = x->v->form.type;
    if (to == f32 && !is_floating(from) && byte_size(from) > 1)
      return; // may need more than 24 bits
    const value v = b_.convert(x->v, to);
    const bool small = !is_floating(from);
    keep({v, true, small ? 256 : x->bound, small ? 0 : x->scale});
    if (from == f32)
      keep({b_.bitcast_convert(x->v, s32)});
  }
};

} // namespace ganglion::testing
