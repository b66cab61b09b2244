// Random modules of plain HLO, well typed by construction: many values live at
// once, used again late, through tuples, calls and loops.
#pragma once

#include "hlo/composites/kv_cache.hpp"
#include "hlo/composites/linear.hpp"

#include <random>

namespace ganglion::testing {

class random_module {
public:
  explicit random_module(unsigned seed)
      : graph(std::make_unique<hlo::module>("random")),
        random_(seed),
        b_(*graph, "main") {
    add_parameters();
    for (int i = 0; i < 60; ++i)
      step();
    finish();
  }

  std::unique_ptr<hlo::module> graph;
  std::vector<hlo::literal> arguments;

private:
  using value = hlo::value;
  using opcode = hlo::opcode;
  using element_type = hlo::element_type;

  std::size_t below(std::size_t n) { return random_() % n; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(
                     below(static_cast<std::size_t>(high - low + 1)));
  }

  value small_number(std::int64_t low, std::int64_t high) {
    return b_.constant_s32(static_cast<std::int32_t>(between(low, high)));
  }

  void add_parameter(element_type type, hlo::dims d) {
    hlo::literal l(hlo::array_shape(type, std::move(d)));
    for (std::int64_t i = 0; i < l.form().size(); ++i)
      if (is_floating(type))
        l.set_real(i, static_cast<double>(between(-40, 40)) / 8);
      else
        l.set_integer(i, between(0, type == element_type::pred ? 1 : 5));
    keep(b_.parameter(static_cast<std::int64_t>(arguments.size()), l.form(),
                      "p" + std::to_string(arguments.size())));
    arguments.push_back(std::move(l));
  }

  void add_parameters() {
    using enum element_type;
    for (const auto type : {f32, bf16, f16, s32, f64, pred, u8})
      for (const hlo::dims &d : {hlo::dims{3, 4}, hlo::dims{4}})
        add_parameter(type, d);
    for (int i = 0; i < 2; ++i) {
      add_parameter(element_type::f32, {2, 1, 3, 16}); // key caches
      add_parameter(element_type::f32, {5, 1, 3});
      add_parameter(element_type::s32, {5});
    }
    keep(b_.constant(hlo::literal::from_floats(
        {4}, std::vector<float>{1.5f, -0.0f, 3.0f, 1e-30f})));
    keep(b_.iota(hlo::array_shape(element_type::s32, {3, 4}), 1));
  }

  void keep(value v) {
    if (v->form.tuple)
      tuples_.push_back(v);
    else if (v->form.size() <= 256 && v->form.rank() <= 4)
      pool_.push_back(v);
  }

  value any() { return pool_[below(pool_.size())]; }

  template <class Wanted>
  value any_where(Wanted wanted) {
    for (int tries = 0; tries < 200; ++tries)
      if (const value v = any(); wanted(v->form))
        return v;
    return nullptr;
  }

  value any_float() {
    return any_where([](const auto &s) { return is_floating(s.type); });
  }
  value any_with_rank() {
    return any_where([](const auto &s) { return s.rank() > 0; });
  }
  value any_f32_array() {
    return any_where([](const auto &a) {
      return a.rank() > 0 && a.type == element_type::f32;
    });
  }
  value like(value x) {
    const value y = any_where([&](const auto &s) { return s == x->form; });
    return y ? y : x;
  }

  void step() {
    using make = void (random_module::*)();
    static constexpr make makers[] = {
        &random_module::unary,          &random_module::binary,
        &random_module::choose,         &random_module::change_type,
        &random_module::change_shape,   &random_module::cut,
        &random_module::join,           &random_module::move_dynamically,
        &random_module::contract,       &random_module::reduce,
        &random_module::reduce_pairs,   &random_module::sort,
        &random_module::index,          &random_module::call,
        &random_module::bundle,         &random_module::unbundle,
        &random_module::loop,           &random_module::branch,
        &random_module::write_cache,    &random_module::unknown_composite,
        &random_module::computed_weight};
    (this->*makers[below(std::size(makers))])();
  }

  void unary() {
    static constexpr opcode ops[] = {
        opcode::abs,  opcode::negate, opcode::exponential, opcode::tanh,
        opcode::sine, opcode::floor,  opcode::sign,        opcode::logistic};
    if (const value x = any_float())
      keep(b_.unary(ops[below(std::size(ops))], x));
  }

  void binary() {
    static constexpr opcode floats[] = {opcode::add, opcode::subtract,
                                        opcode::multiply, opcode::maximum,
                                        opcode::divide};
    static constexpr opcode integers[] = {opcode::add, opcode::multiply,
                                          opcode::minimum, opcode::and_,
                                          opcode::xor_};
    const value x = any();
    if (x->form.type == element_type::pred)
      return keep(b_.binary(opcode::or_, x, like(x)));
    keep(b_.binary(is_floating(x->form.type) ? floats[below(5)]
                                             : integers[below(5)],
                   x, like(x)));
  }

  void choose() {
    const value x = any(), y = like(x);
    keep(b_.select(b_.compare(hlo::comparison::lt, x, like(x)), x, y));
  }

  void change_type() {
    using enum element_type;
    static constexpr element_type types[] = {f32, bf16, f16, f64, s32, pred};
    keep(b_.convert(any(), types[below(std::size(types))]));
    keep(b_.bitcast_convert(any_f32_array(), element_type::s32));
  }

  void change_shape() {
    const value x = any();
    switch (below(4)) {
    case 0:
      return keep(b_.reshape(x, {x->form.size()}));
    case 1:
      return keep(b_.unary(opcode::copy, x));
    case 2: {
      hlo::dims order = x->form.dimensions;
      for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int64_t>(order.size() - 1 - i);
      return keep(b_.transpose(x, order));
    }
    default: {
      hlo::dims to{2}, from;
      for (std::int64_t i = 0; i < x->form.rank(); ++i) {
        to.push_back(x->form.dim(i));
        from.push_back(i + 1);
      }
      return keep(b_.broadcast(x, to, from));
    }
    }
  }

  void cut() {
    const value x = any_with_rank();
    const auto d = between(0, x->form.rank() - 1);
    const auto start = between(0, x->form.dim(d));
    keep(b_.slice_in_dim(x, d, start, between(start, x->form.dim(d))));
    keep(b_.reverse(x, {d}));
  }

  void join() {
    const value x = any_with_rank();
    keep(b_.concatenate(std::array{x, like(x), x},
                        between(0, x->form.rank() - 1)));
    std::vector<hlo::padding_dim> padding(x->form.dimensions.size());
    padding[0] = {1, 0, 1};
    keep(
        b_.pad(x, b_.constant(hlo::literal::scalar(x->form.type, 1)), padding));
  }

  void move_dynamically() {
    const value x =
        any_where([](const auto &s) { return s.rank() > 0 && s.size() > 0; });
    std::vector<value> starts;
    for (std::int64_t i = 0; i < x->form.rank(); ++i)
      starts.push_back(small_number(-1, 4));
    const value part =
        b_.dynamic_slice(x, starts, hlo::dims(x->form.dimensions.size(), 1));
    keep(part);
    keep(b_.dynamic_update_slice(like(x), part, starts));
  }

  void contract() {
    const value x = any_where(
        [](const auto &s) { return s.rank() == 2 && is_floating(s.type); });
    if (x)
      keep(b_.dot(x, like(x), {{1}, {1}, {}, {}}, element_type::f32));
  }

  void reduce() {
    const value x = any_where([](const auto &s) {
      return s.rank() > 0 && s.type != element_type::pred;
    });
    keep(b_.reduce(below(2) ? opcode::add : opcode::maximum, x, 0,
                   {between(0, x->form.rank() - 1)}));
  }

  /// Two arrays reduced together: the larger and its companion.
  void reduce_pairs() {
    const value x = any_f32_array();
    hlo::builder inner(*graph, "larger");
    const auto scalar = hlo::scalar_shape(element_type::f32);
    value p[4];
    for (int i = 0; i < 4; ++i)
      p[i] = inner.parameter(i, scalar, "p" + std::to_string(i));
    const value old = inner.compare(hlo::comparison::ge, p[0], p[2]);
    hlo::attributes a;
    a.dimensions = {0};
    a.called = {inner.build(inner.tuple(std::array{
        inner.select(old, p[0], p[2]), inner.select(old, p[1], p[3])}))};
    const value zero = b_.constant_real(element_type::f32, 0);
    keep(b_.append(opcode::reduce, {x, like(x), zero, zero}, std::move(a)));
  }

  void sort() {
    const value x = any_f32_array();
    const bool pairs = below(2) != 0;
    const value places =
        b_.iota(hlo::array_shape(element_type::s32, x->form.dimensions), 0);
    hlo::builder inner(*graph, "less");
    const auto key = hlo::scalar_shape(element_type::f32);
    const auto place = hlo::scalar_shape(element_type::s32);
    const value p0 = inner.parameter(0, key, "a");
    const value p1 = inner.parameter(1, key, "b");
    if (pairs) {
      inner.parameter(2, place, "i");
      inner.parameter(3, place, "j");
    }
    auto *less = inner.build(inner.compare(hlo::comparison::lt, p0, p1));
    std::vector<value> keys{x};
    if (pairs)
      keys.push_back(places);
    keep(b_.sort(keys, between(0, x->form.rank() - 1), true, less));
  }

  void index() {
    const value x = any_where([](const auto &s) { return s.rank() == 2; });
    const value ids = any_where([](const auto &s) {
      return s.rank() == 1 && s.type == element_type::s32 && s.size() > 0;
    });
    if (!x || x->form.dim(0) == 0)
      return;
    const value rows = b_.gather_rows(x, ids);
    keep(rows);
    if (x->form.type != element_type::f32)
      return;
    hlo::scatter_dims d;
    d.update_window_dims = {1};
    d.inserted_window_dims = {0};
    d.scatter_dims_to_operand_dims = {0};
    d.index_vector_dim = 1;
    keep(b_.scatter(like(x), ids, rows, d,
                    b_.scalar_computation(opcode::add, x->form.type)));
  }

  /// A plain call whose result may be a tuple.
  void call() {
    const value x = any_float();
    hlo::builder inner(*graph, "callee");
    const value p = inner.parameter(0, x->form, "x");
    const value twice = inner.add(p, p);
    const bool pair = below(2) != 0;
    auto *callee =
        inner.build(pair ? inner.tuple(std::array{twice, p}) : twice);
    keep(b_.call(callee, std::array{x}));
  }

  void bundle() {
    std::vector<value> parts{any(), any()};
    if (!tuples_.empty() && below(2))
      parts.push_back(tuples_[below(tuples_.size())]);
    keep(b_.tuple(parts));
  }

  void unbundle() {
    if (tuples_.empty())
      return;
    const value t = tuples_[below(tuples_.size())];
    keep(b_.get_tuple_element(
        t, between(0, static_cast<std::int64_t>(t->form.elements.size()) - 1)));
  }

  void loop() {
    const value x = any_float();
    const auto state = hlo::tuple_shape(
        {hlo::scalar_shape(element_type::s32), x->form, x->form});
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
    keep(b_.while_loop(condition, body,
                       b_.tuple(std::array{small_number(0, 4), x, like(x)})));
  }

  void branch() {
    const value x = any_float();
    std::vector<hlo::computation *> branches;
    for (int i = 0; i < 3; ++i) {
      hlo::builder inner(*graph, "branch");
      const value p = inner.parameter(0, x->form, "x");
      branches.push_back(
          inner.build(inner.multiply(p, inner.filled_like(p, i))));
    }
    keep(b_.conditional(small_number(-1, 3), std::array{x, like(x), x},
                        branches));
  }

  /// The old cache may be used again by a later step.
  void write_cache() {
    const auto shaped = [&](const hlo::dims &d, element_type type) {
      return any_where(
          [&](const auto &s) { return s.dimensions == d && s.type == type; });
    };
    const value cache = shaped({2, 1, 3, 16}, element_type::f32);
    const value rows = shaped({5, 1, 3}, element_type::f32);
    const value slots = shaped({5}, element_type::s32);
    if (cache && rows && slots)
      keep(hlo::write_keys(b_, rows, slots, cache));
  }

  void unknown_composite() {
    const value x = any_float();
    keep(hlo::composite(b_, "mystery", {}, std::array{x, like(x)},
                        [](hlo::builder &body, std::span<const value> p) {
                          return body.maximum(p[0], p[1]);
                        }));
  }

  /// A product whose weight is no parameter runs its body.
  void computed_weight() {
    const value x = any_where([](const auto &s) {
      return s.rank() == 2 && s.type == element_type::bf16;
    });
    if (x)
      keep(hlo::linear(b_, x, b_.unary(opcode::negate, x), nullptr,
                       hlo::activation::silu, element_type::f32));
  }

  /// A tuple of many values, some of them parameters, some twice; outputs that
  /// fit a parameter may have to live in it.
  void finish() {
    std::vector<value> outputs;
    for (int i = 0; i < 12; ++i)
      outputs.push_back(any());
    outputs.insert(outputs.end(), pool_.end() - 4, pool_.end());
    if (!tuples_.empty())
      outputs.push_back(tuples_.back());
    const auto parameters = b_.target()->parameters();
    std::vector<bool> taken(parameters.size());
    // Output numbers stand for arrays, so nothing after a tuple may alias.
    for (std::size_t k = 0; k < outputs.size(); ++k)
      for (std::size_t p = 0; p < parameters.size(); ++p)
        if (!taken[p] && outputs[k]->form == parameters[p]->form && below(3)) {
          graph->aliases.push_back({static_cast<std::int64_t>(k),
                                    static_cast<std::int64_t>(p), true});
          taken[p] = true;
          break;
        }
    graph->set_entry(b_.build(b_.tuple(outputs)));
  }

  std::mt19937 random_;
  hlo::builder b_;
  std::vector<value> pool_, tuples_;
};

} // namespace ganglion::testing
