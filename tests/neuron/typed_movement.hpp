// Operations that move values about in random modules.
#pragma once

#include "tests/neuron/typed_arithmetic.hpp"

namespace ganglion::testing {

class typed_movement : public typed_arithmetic {
protected:
  using typed_arithmetic::typed_arithmetic;

  void reshape() {
    const auto x = any_array();
    const auto rank = x->v->form.rank();
    switch (below(4)) {
    case 0:
      return keep(with(*x, b_.reshape(x->v, {x->v->form.size()})));
    case 1:
      return keep(with(*x, b_.unary(opcode::copy, x->v)));
    case 2: {
      hlo::dims order;
      for (std::int64_t i = 0; i < rank; ++i)
        order.push_back(i);
      std::shuffle(order.begin(), order.end(), random_);
      return keep(with(*x, b_.transpose(x->v, order)));
    }
    default: {
      hlo::dims to{2}, from;
      for (std::int64_t i = 0; i < rank; ++i) {
        to.push_back(x->v->form.dim(i));
        from.push_back(i + 1);
      }
      return keep(with(*x, b_.broadcast(x->v, to, from)));
    }
    }
  }

  void cut() {
    const auto x = any_array();
    const hlo::shape &form = x->v->form;
    hlo::attributes a;
    for (std::int64_t d = 0; d < form.rank(); ++d) {
      a.slice_starts.push_back(between(0, form.dim(d) - 1));
      a.slice_limits.push_back(between(a.slice_starts.back() + 1, form.dim(d)));
      a.slice_strides.push_back(between(1, 2));
    }
    keep(with(*x, b_.append(opcode::slice, {x->v}, std::move(a))));
    keep(with(*x, b_.reverse(x->v, {between(0, form.rank() - 1)})));
  }

  void join() {
    const auto x = any_array();
    const term y = like(*x);
    const auto d = between(0, x->v->form.rank() - 1);
    keep({b_.concatenate(std::array{x->v, y.v, x->v}, d), x->exact && y.exact,
          std::max(x->bound, y.bound), std::max(x->scale, y.scale)});
    std::vector<hlo::padding_dim> padding(x->v->form.dimensions.size());
    padding[static_cast<std::size_t>(d)] = {between(-1, 2), between(0, 2),
                                            between(0, 1)};
    keep({b_.pad(x->v, b_.constant(hlo::literal::scalar(x->v->form.type, 1)),
                 padding),
          x->exact, std::max(x->bound, 1.0), x->scale});
  }

  void move() {
    const auto x = any_array();
    std::vector<value> starts;
    hlo::dims sizes;
    for (const auto n : x->v->form.dimensions) {
      starts.push_back(
          b_.constant_s32(static_cast<std::int32_t>(between(-2, n + 2))));
      sizes.push_back(between(1, n));
    }
    const value part = b_.dynamic_slice(x->v, starts, sizes);
    const term y = like(*x);
    keep(with(*x, part));
    keep({b_.dynamic_update_slice(y.v, part, starts), x->exact && y.exact,
          std::max(x->bound, y.bound), std::max(x->scale, y.scale)});
  }

  std::optional<term> any_rows() {
    return find([](const term &t) {
      return t.v->form.rank() == 2 && t.v->form.type == element_type::f32;
    });
  }
  std::optional<term> any_places() {
    return find([](const term &t) {
      return t.v->form.rank() == 1 && t.v->form.type == element_type::s32;
    });
  }

  void gather() {
    const auto x = any_rows(), ids = any_places();
    if (x && ids)
      keep(with(*x, b_.gather_rows(x->v, ids->v)));
  }

  void scatter() {
    const auto x = any_rows(), ids = any_places();
    if (!x || !ids)
      return;
    const value rows = b_.gather_rows(x->v, ids->v);
    hlo::scatter_dims d;
    d.update_window_dims = {1};
    d.inserted_window_dims = {0};
    d.scatter_dims_to_operand_dims = {0};
    d.index_vector_dim = 1;
    const auto count = static_cast<double>(ids->v->form.dim(0)) + 1;
    const bool sum = below(2) != 0;
    keep_real(
        b_.scatter(x->v, ids->v, rows, d,
                   b_.scalar_computation(sum ? opcode::add : opcode::maximum,
                                         element_type::f32)),
        x->exact, x->bound * count, x->scale);
  }

  /// One element of every row, and back.
  void batch_gather() {
    const auto x = any_rows();
    if (!x)
      return;
    const auto rows = x->v->form.dim(0);
    hlo::literal places(hlo::array_shape(element_type::s32, {rows, 1}));
    for (std::int64_t i = 0; i < rows; ++i)
      places.set_integer(i, between(-1, x->v->form.dim(1)));
    const value ids = b_.constant(std::move(places));
    hlo::gather_dims g;
    g.collapsed_slice_dims = {1};
    g.start_index_map = {1};
    g.index_vector_dim = 1;
    g.slice_sizes = {1, 1};
    g.operand_batching_dims = {0};
    g.start_indices_batching_dims = {0};
    const value picked = b_.gather(x->v, ids, std::move(g));
    keep(with(*x, picked));
    hlo::scatter_dims s;
    s.inserted_window_dims = {1};
    s.scatter_dims_to_operand_dims = {1};
    s.index_vector_dim = 1;
    s.input_batching_dims = {0};
    s.scatter_indices_batching_dims = {0};
    keep_real(b_.scatter(x->v, ids, picked, std::move(s),
                         b_.scalar_computation(opcode::add, element_type::f32)),
              x->exact, 2 * x->bound, x->scale);
  }
};

} // namespace ganglion::testing
