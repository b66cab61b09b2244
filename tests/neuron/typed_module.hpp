// Random modules over the whole table of operations that any implementation
// must agree on: discontinuous operations (comparisons, rounding, sorting) only
// get values that every correct arithmetic computes exactly.
#pragma once

#include "hlo/builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

namespace ganglion::testing {

/// A value with what is known of it: whether it is exact, and if it is
/// floating, that it is a multiple of 2^-scale of at most `bound`.
struct term {
  hlo::value v = nullptr;
  bool exact = true;
  double bound = 0;
  int scale = 0;
};

class typed_module {
public:
  explicit typed_module(unsigned seed)
      : graph(std::make_unique<hlo::module>("typed")),
        random_(seed),
        b_(*graph, "main") {
    add_parameters();
    for (int i = 0; i < 25; ++i)
      step();
    finish();
  }

  std::unique_ptr<hlo::module> graph;
  std::vector<hlo::literal> arguments;
  /// For each output, whether it must be equal bit by bit.
  std::vector<bool> certain;

private:
  using value = hlo::value;
  using opcode = hlo::opcode;
  using element_type = hlo::element_type;

  std::size_t below(std::size_t n) { return random_() % n; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(
                     below(static_cast<std::size_t>(high - low + 1)));
  }
  template <std::size_t N>
  opcode pick(const opcode (&ops)[N]) {
    return ops[below(N)];
  }

  void keep(term t) {
    if (t.v->form.size() > 0 && t.v->form.size() <= 200 &&
        t.v->form.rank() <= 4 && t.bound < 1e6)
      pool_.push_back(t);
  }
  /// A floating result: exact as long as 24 bits hold it.
  void keep_real(value v, bool exact, double bound, int scale) {
    exact = exact && bound * std::ldexp(1.0, scale) < 16777216.0;
    keep({v, exact, bound, scale});
  }

  template <class Wanted>
  std::optional<term> find(Wanted wanted) {
    for (int tries = 0; tries < 1000; ++tries)
      if (const term &t = pool_[below(pool_.size())]; wanted(t))
        return t;
    return std::nullopt;
  }
  std::optional<term> any_real(bool exact = false) {
    return find([&](const term &t) {
      return t.v->form.type == element_type::f32 && (t.exact || !exact);
    });
  }
  std::optional<term> any_integer() {
    return find([](const term &t) {
      return !is_floating(t.v->form.type) &&
             t.v->form.type != element_type::pred;
    });
  }
  std::optional<term> any_array() {
    return find([](const term &t) { return t.v->form.rank() > 0; });
  }
  term like(const term &x) {
    const auto y = find([&](const term &t) {
      return t.v->form == x.v->form && (t.exact || !x.exact);
    });
    return y ? *y : x;
  }

  void add_parameter(element_type type, hlo::dims d) {
    hlo::literal l(hlo::array_shape(type, std::move(d)));
    for (std::int64_t i = 0; i < l.form().size(); ++i)
      if (is_floating(type))
        l.set_real(i, static_cast<double>(between(-32, 32)) / 8);
      else if (type == element_type::pred)
        l.set_integer(i, between(0, 1));
      else
        l.set_integer(i,
                      is_signed(type) ? between(-100, 100) : between(0, 200));
    const auto number = static_cast<std::int64_t>(arguments.size());
    keep({b_.parameter(number, l.form(), "p" + std::to_string(number)), true, 4,
          3});
    arguments.push_back(std::move(l));
  }

  void add_parameters() {
    using enum element_type;
    for (const hlo::dims &d :
         {hlo::dims{3, 4}, hlo::dims{4}, hlo::dims{4, 5}, hlo::dims{2, 3, 4}})
      add_parameter(f32, d);
    for (const auto type : {s32, u32, s8, u8, s64, pred, bf16, f16, f64})
      add_parameter(type, {3, 4});
    add_parameter(s32, {5});
    keep({b_.iota(hlo::array_shape(s32, {3, 4}), between(0, 1))});
  }

  void step() {
    using make = void (typed_module::*)();
    static constexpr make makers[] = {
        &typed_module::smooth,       &typed_module::rough,
        &typed_module::exact_sum,    &typed_module::quotient,
        &typed_module::integers,     &typed_module::integer_unary,
        &typed_module::logic,        &typed_module::compare,
        &typed_module::choose,       &typed_module::convert,
        &typed_module::reshape,      &typed_module::cut,
        &typed_module::join,         &typed_module::move,
        &typed_module::contract,     &typed_module::reduce,
        &typed_module::window,       &typed_module::sort,
        &typed_module::gather,       &typed_module::scatter,
        &typed_module::batch_gather, &typed_module::call,
        &typed_module::loop,         &typed_module::branch,
        &typed_module::normalise};
    (this->*makers[below(std::size(makers))])();
  }

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

  term with(const term &x, value v) { return {v, x.exact, x.bound, x.scale}; }

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

  void call() {
    const auto x = any_real();
    if (!x)
      return;
    hlo::builder inner(*graph, "callee");
    const value p = inner.parameter(0, x->v->form, "x");
    auto *callee = inner.build(inner.tuple(std::array{inner.add(p, p), p}));
    const value both = b_.call(callee, std::array{x->v});
    keep_real(b_.get_tuple_element(both, 0), x->exact, 2 * x->bound, x->scale);
  }

  void loop() {
    const auto x = any_real();
    if (!x)
      return;
    const auto state = hlo::tuple_shape(
        {hlo::scalar_shape(element_type::s32), x->v->form, x->v->form});
    hlo::builder test(*graph, "goes_on");
    const value s = test.parameter(0, state, "state");
    auto *condition = test.build(test.compare(hlo::comparison::lt,
                                              test.get_tuple_element(s, 0),
                                              test.constant_s32(3)));
    hlo::builder inner(*graph, "turn");
    const value t = inner.parameter(0, state, "state");
    const value count =
        inner.add(inner.get_tuple_element(t, 0), inner.constant_s32(1));
    const value now = inner.get_tuple_element(t, 1);
    auto *body = inner.build(inner.tuple(
        std::array{count, inner.add(now, inner.get_tuple_element(t, 2)), now}));
    const value start =
        b_.constant_s32(static_cast<std::int32_t>(between(0, 4)));
    const value end =
        b_.while_loop(condition, body, b_.tuple(std::array{start, x->v, x->v}));
    keep_real(b_.get_tuple_element(end, 1), x->exact, 8 * x->bound, x->scale);
    keep({b_.get_tuple_element(end, 0)});
  }

  void branch() {
    const auto x = any_real();
    if (!x)
      return;
    std::vector<hlo::computation *> branches;
    for (int i = 1; i <= 3; ++i) {
      hlo::builder inner(*graph, "branch");
      const value p = inner.parameter(0, x->v->form, "x");
      branches.push_back(
          inner.build(inner.multiply(p, inner.filled_like(p, i))));
    }
    const value which =
        b_.constant_s32(static_cast<std::int32_t>(between(-1, 3)));
    keep_real(b_.conditional(which, std::array{x->v, x->v, x->v}, branches),
              x->exact, 3 * x->bound, x->scale);
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

  void finish() {
    std::vector<value> outputs;
    const std::size_t first = pool_.size() > 20 ? pool_.size() - 20 : 0;
    for (std::size_t i = first; i < pool_.size(); ++i) {
      outputs.push_back(pool_[i].v);
      certain.push_back(pool_[i].exact);
    }
    graph->set_entry(b_.build(b_.tuple(outputs)));
  }

  std::mt19937 random_;
  hlo::builder b_;
  std::vector<term> pool_;
};

} // namespace ganglion::testing
