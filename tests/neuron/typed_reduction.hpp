// Sums and their like, and sorts, in random modules.
#pragma once

#include "tests/neuron/typed_movement.hpp"

namespace ganglion::testing {

class typed_reduction : public typed_movement {
protected:
  using typed_movement::typed_movement;

  void contract() {
    const auto x = find([](const term &t) {
      return t.v->form.type == element_type::f32 && t.v->form.rank() >= 2;
    });
    if (!x)
      return;
    const term y = like(*x);
    const auto last = x->v->form.rank() - 1;
    hlo::dims batch;
    for (std::int64_t d = 0; d + 1 < last; ++d)
      batch.push_back(d);
    const auto k = static_cast<double>(x->v->form.dim(last));
    keep_real(
        b_.dot(x->v, y.v, {{last}, {last}, batch, batch}, element_type::f32),
        x->exact && y.exact, x->bound * y.bound * k, x->scale + y.scale);
  }

  /// What changes nothing: an implementation may combine it never or often.
  value neutral(opcode op, element_type type) {
    using limits = std::numeric_limits<std::int32_t>;
    hlo::literal l(hlo::scalar_shape(type));
    const bool real = is_floating(type);
    if (op == opcode::maximum)
      l.set_real(0, real ? -HUGE_VAL : double(limits::min()));
    else if (op == opcode::minimum)
      l.set_real(0, real ? HUGE_VAL : double(limits::max()));
    else if (op == opcode::and_)
      l.set_integer(0, 1);
    return b_.constant(std::move(l));
  }

  void reduce() {
    const auto x = any_array();
    const auto type = x->v->form.type;
    if (type != element_type::f32 && type != element_type::s32 &&
        type != element_type::pred)
      return;
    static constexpr opcode numbers[] = {opcode::add, opcode::maximum,
                                         opcode::minimum};
    static constexpr opcode truths[] = {opcode::and_, opcode::or_};
    const auto d = between(0, x->v->form.rank() - 1);
    const opcode op = type == element_type::pred ? pick(truths) : pick(numbers);
    const value v = b_.reduce(x->v, neutral(op, type), {d},
                              b_.scalar_computation(op, type));
    keep_real(v, x->exact, x->bound * static_cast<double>(x->v->form.dim(d)),
              x->scale);
  }

  void window() {
    const auto x = find([](const term &t) {
      return t.v->form.type == element_type::f32 && t.v->form.rank() > 0;
    });
    // A window of padding alone would have no largest element.
    const bool sum = below(2) != 0;
    std::vector<hlo::window_dim> w;
    double size = 1;
    for (std::int64_t d = 0; d < x->v->form.rank(); ++d) {
      const auto pad = [&] { return sum ? between(0, 1) : 0; };
      w.push_back({between(1, 2), between(1, 2), pad(), pad()});
      size *= static_cast<double>(w.back().size);
    }
    const opcode op = sum ? opcode::add : opcode::maximum;
    const value v =
        b_.reduce_window(x->v, neutral(op, element_type::f32), w,
                         b_.scalar_computation(op, element_type::f32));
    keep_real(v, x->exact, x->bound * size, x->scale);
  }

  /// Equal keys keep their order, so that the places are certain too.
  void sort() {
    const auto x = find([](const term &t) {
      return t.exact && t.v->form.rank() > 0 &&
             t.v->form.type == element_type::f32;
    });
    if (!x)
      return;
    const auto d = between(0, x->v->form.rank() - 1);
    const value places =
        b_.iota(hlo::array_shape(element_type::s32, x->v->form.dimensions), d);
    hlo::builder inner(*graph, "less");
    value p[4];
    for (int i = 0; i < 4; ++i)
      p[i] = inner.parameter(
          i, hlo::scalar_shape(i < 2 ? element_type::f32 : element_type::s32),
          "p" + std::to_string(i));
    auto *less = inner.build(inner.compare(
        below(2) ? hlo::comparison::lt : hlo::comparison::gt, p[0], p[1]));
    const value both = b_.sort(std::array{x->v, places}, d, true, less);
    keep(with(*x, b_.get_tuple_element(both, 0)));
    keep({b_.get_tuple_element(both, 1)});
  }

  void normalise() {
    const auto x = find([](const term &t) {
      return t.v->form.type == element_type::f32 && t.v->form.rank() >= 2;
    });
    if (!x)
      return;
    const auto d = between(0, x->v->form.rank() - 1);
    const value ones = b_.broadcast_scalar(
        b_.constant_real(element_type::f32, 1.5), {x->v->form.dim(d)});
    const value all = b_.batch_norm_training(x->v, ones, ones, 1.0f, d);
    keep_real(b_.get_tuple_element(all, 0), false, 20 + 2 * x->bound, 0);
    keep_real(b_.get_tuple_element(all, 1), false, x->bound, 0);
    keep_real(b_.get_tuple_element(all, 2), false, x->bound * x->bound, 0);
  }
};

} // namespace ganglion::testing
