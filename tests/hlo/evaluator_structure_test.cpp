#include "hlo/composite.hpp"
#include "tests/hlo/evaluator_support.hpp"

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::hlo::testing;

namespace {

/// Doubles element 1 of (count, x) until count reaches `limit`.
value doubling(builder &b, value init, std::int32_t limit) {
  module &m = b.owner();
  builder condition(m, "condition"), body(m, "body");
  const value s = condition.parameter(0, init->form, "s");
  computation *c = condition.build(
      condition.compare(comparison::lt, condition.get_tuple_element(s, 0),
                        condition.constant_s32(limit)));
  const value t = body.parameter(0, init->form, "t");
  const value x = body.get_tuple_element(t, 1);
  const value next[] = {
      body.add(body.get_tuple_element(t, 0), body.constant_s32(1)),
      body.add(x, x)};
  return b.while_loop(c, body.build(body.tuple(next)), init);
}

graph doubling_until(std::int32_t limit) {
  return [limit](builder &b, auto p) { return doubling(b, b.tuple(p), limit); };
}

std::vector<literal> counter(double start) {
  return list(literal::scalar(et::s32, start), literal::scalar(et::f32, 1));
}

/// Branches that add 1, 2, 3, ... to their operand.
value adding_branches(builder &b, value selector, value x, int count) {
  std::vector<computation *> branches;
  for (int k = 1; k <= count; ++k) {
    builder branch(b.owner(), "branch");
    const value y = branch.parameter(0, x->form, "y");
    branches.push_back(
        branch.build(branch.add(y, branch.constant_real(et::f32, k))));
  }
  const std::vector<value> operands(branches.size(), x);
  return b.conditional(selector, operands, branches);
}

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_structure)

BOOST_AUTO_TEST_CASE(tuples_nest) {
  const literal out = run(
      [](builder &b, auto p) {
        const value inner[] = {p[0], p[1]};
        const value outer[] = {b.tuple(inner), p[1]};
        return b.tuple(outer);
      },
      list(vector_of(et::f32, {1}), vector_of(et::s32, {2, 3})));
  BOOST_TEST(to_string(out.form(), false) == "((f32[1], s32[2]), s32[2])");
  expect(out.elements()[0].elements()[1], {2, 3});
  expect(out.elements()[1], {2, 3});
}

BOOST_AUTO_TEST_CASE(tuple_arguments) {
  std::vector<literal> parts =
      list(vector_of(et::f32, {1}), vector_of(et::f32, {5}));
  const literal out =
      run([](builder &b, auto p) { return b.get_tuple_element(p[0], 1); },
          list(literal::tuple(std::move(parts))));
  expect(out, {5});
}

BOOST_AUTO_TEST_CASE(loops) {
  const literal out = run(doubling_until(10), counter(0));
  expect(out.elements()[0], {10});
  expect(out.elements()[1], {1024});
  expect(run(doubling_until(0), counter(5)).elements()[1], {1});
}

BOOST_AUTO_TEST_CASE(loops_are_bounded) {
  module m("test");
  const auto arguments = counter(0);
  set_entry(m, doubling_until(10), arguments);
  expect(evaluate(m, arguments, {.max_iterations = 10}).elements()[0], {10});
  BOOST_CHECK_EXCEPTION(
      evaluate(m, arguments, {.max_iterations = 9}), error, [](const error &e) {
        return e.describe().find("max_iterations") != std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(partitions_leave_a_loop_on_their_own) {
  module m("test");
  m.num_partitions = 2;
  std::vector<std::vector<literal>> arguments;
  arguments.push_back(counter(0));
  arguments.push_back(counter(7));
  set_entry(m, doubling_until(10), arguments[0]);
  const auto out = evaluate_partitions(m, arguments);
  expect(out[0].elements()[1], {1024});
  expect(out[1].elements()[1], {8});
}

BOOST_AUTO_TEST_CASE(conditionals_on_pred_and_number) {
  const auto choose = [](literal selector, int branches) {
    return run([&](builder &b,
                   auto p) { return adding_branches(b, p[0], p[1], branches); },
               list(std::move(selector), literal::scalar(et::f32, 10)));
  };
  expect(choose(literal::scalar(et::pred, 1), 2), {11});
  expect(choose(literal::scalar(et::pred, 0), 2), {12});
  expect(choose(literal::scalar(et::s32, 1), 3), {12});
  expect(choose(literal::scalar(et::s32, 3), 3), {13});
  expect(choose(literal::scalar(et::s32, -1), 3), {13});
}

BOOST_AUTO_TEST_CASE(composites_run_their_bodies) {
  const literal out = run(
      [](builder &b, auto p) {
        return composite(b, "square", {}, p, [](builder &inner, auto q) {
          return inner.multiply(q[0], q[0]);
        });
      },
      list(vector_of(et::f32, {2, -3})));
  expect(out, {4, 9});
}

BOOST_AUTO_TEST_CASE(random_softmax_agrees_with_plain_loops) {
  std::mt19937 random(4);
  const literal x = random_array(random, et::f32, {3, 8}, -5, 5);
  const literal out = run(
      [](builder &b, auto p) {
        const value top = b.reduce(opcode::maximum, p[0], -infinity, {1});
        const value e =
            b.unary(opcode::exponential,
                    b.subtract(p[0], b.broadcast(top, {3, 8}, {0})));
        const value sum = b.reduce(opcode::add, e, 0, {1});
        return b.divide(e, b.broadcast(sum, {3, 8}, {0}));
      },
      list(x.clone()));
  for (std::int64_t r = 0; r < 3; ++r) {
    double sum = 0;
    for (std::int64_t k = 0; k < 8; ++k)
      sum += std::exp(x.real(r * 8 + k));
    for (std::int64_t k = 0; k < 8; ++k)
      BOOST_TEST(out.real(r * 8 + k) == std::exp(x.real(r * 8 + k)) / sum,
                 boost::test_tools::tolerance(1e-6));
  }
}

BOOST_AUTO_TEST_CASE(arguments_must_fit) {
  module m("test");
  set_entry(
      m, [](builder &, auto p) { return p[1]; }, counter(0));
  const auto wrong =
      list(literal::scalar(et::s32, 0), vector_of(et::f32, {1, 2}));
  BOOST_CHECK_EXCEPTION(evaluate(m, wrong), error, [](const error &e) {
    return e.field() == "p1" &&
           std::string(e.what()) == "expected f32[], got f32[2]";
  });
  BOOST_CHECK_THROW(evaluate(m, {}), error);
  m.num_partitions = 2;
  BOOST_CHECK_THROW(evaluate(m, counter(0)), error);
}

BOOST_AUTO_TEST_CASE(a_computation_that_calls_itself_is_an_error) {
  module m("test");
  builder b(m, "main");
  const value x = b.parameter(0, scalar_shape(et::f32), "x");
  b.build(x);
  const value operands[] = {x};
  m.set_entry(b.build(b.call(b.target(), operands)));
  BOOST_CHECK_THROW(evaluate(m, list(literal::scalar(et::f32, 1))), error);
}

BOOST_AUTO_TEST_CASE(results_do_not_share_memory_with_arguments) {
  module m("test");
  const auto arguments = list(vector_of(et::f32, {1}));
  set_entry(
      m, [](builder &, auto p) { return p[0]; }, arguments);
  literal out = evaluate(m, arguments);
  out.set_real(0, 9);
  expect(arguments[0], {1});
}

BOOST_AUTO_TEST_SUITE_END()
