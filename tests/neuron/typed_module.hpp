// Random modules over the whole table of operations that any implementation
// must agree on: discontinuous operations (comparisons, rounding, sorting) only
// get values that every correct arithmetic computes exactly.
#pragma once

#include "tests/neuron/typed_reduction.hpp"

namespace ganglion::testing {

class typed_module : private typed_reduction {
public:
  explicit typed_module(unsigned seed) : typed_reduction(seed) {
    for (int i = 0; i < 25; ++i)
      step();
    finish();
  }

  using typed_pool::arguments;
  using typed_pool::graph;
  /// For each output, whether it must be equal bit by bit.
  std::vector<bool> certain;

private:
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

  void finish() {
    std::vector<value> outputs;
    const std::size_t first = pool_.size() > 20 ? pool_.size() - 20 : 0;
    for (std::size_t i = first; i < pool_.size(); ++i) {
      outputs.push_back(pool_[i].v);
      certain.push_back(pool_[i].exact);
    }
    graph->set_entry(b_.build(b_.tuple(outputs)));
  }
};

} // namespace ganglion::testing
