#include "tests/hlo/evaluator_support.hpp"

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::hlo::testing;

namespace {

literal reduce(opcode op, literal x, double init, dims dimensions) {
  return run(
      [&](builder &b, auto p) { return b.reduce(op, p[0], init, dimensions); },
      list(std::move(x)));
}

literal window(opcode op, literal x, double init,
               std::vector<window_dim> dimensions) {
  return run(
      [&](builder &b, auto p) {
        const et type = p[0]->form.type;
        return b.reduce_window(p[0], b.constant_real(type, init), dimensions,
                               b.scalar_computation(op, type));
      },
      list(std::move(x)));
}

literal table() { return array(et::f32, {2, 3}, {1, 5, 3, 4, 2, 6}); }

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_reduction)

BOOST_AUTO_TEST_CASE(reduces_any_dimensions) {
  expect(reduce(opcode::add, table(), 0, {1}), {9, 12});
  expect(reduce(opcode::add, table(), 0, {0}), {5, 7, 9});
  expect(reduce(opcode::add, table(), 100, {0, 1}), {121});
  expect(reduce(opcode::add, table(), 0, {}), {1, 5, 3, 4, 2, 6});
  expect(reduce(opcode::multiply, table(), 1, {1}), {15, 48});
  expect(reduce(opcode::maximum, table(), -infinity, {1}), {5, 6});
  expect(reduce(opcode::minimum, table(), infinity, {0}), {1, 2, 3});
}

BOOST_AUTO_TEST_CASE(nothing_to_reduce_gives_the_initial_value) {
  expect(reduce(opcode::maximum, array(et::f32, {2, 0}, {}), -infinity, {1}),
         {-infinity, -infinity});
  expect(reduce(opcode::add, array(et::f32, {0, 2}, {}), 0, {1}), {});
}

BOOST_AUTO_TEST_CASE(nan_reaches_the_result) {
  expect(reduce(opcode::maximum, vector_of(et::f32, {1, not_a_number, 3}),
                -infinity, {0}),
         {not_a_number});
}

BOOST_AUTO_TEST_CASE(small_floats_accumulate_wide) {
  expect(reduce(opcode::add, vector_of(et::bf16, std::vector<double>(512, 1)),
                256, {0}),
         {768});
}

BOOST_AUTO_TEST_CASE(integers_and_preds) {
  expect(reduce(opcode::add, vector_of(et::s8, {100, 100}), 0, {0}), {-56});
  expect(reduce(opcode::and_, vector_of(et::pred, {1, 1, 0}), 1, {0}), {0});
  expect(reduce(opcode::or_, vector_of(et::pred, {0, 0, 1}), 0, {0}), {1});
  expect(reduce(opcode::and_, vector_of(et::u32, {12, 10}), 15, {0}), {8});
  expect_integers(
      reduce(opcode::maximum, integers(et::u64, {1, -1, 2}), 0, {0}), {-1});
  expect_integers(
      reduce(opcode::maximum, integers(et::s64, {(1LL << 60) + 1, -1}), 0, {0}),
      {(1LL << 60) + 1});
}

BOOST_AUTO_TEST_CASE(any_computation_folds_from_the_left) {
  const literal out = run(
      [](builder &b, auto p) {
        computation *halve = scalar_graph(
            b.owner(), "halve", {et::f32, et::f32}, [](builder &s, auto q) {
              return s.add(s.multiply(q[0], s.constant_real(et::f32, 0.5)),
                           q[1]);
            });
        return b.reduce(p[0], b.constant_real(et::f32, 8), {0}, halve);
      },
      list(vector_of(et::f32, {1, 2, 4})));
  expect(out, {((8 * 0.5 + 1) * 0.5 + 2) * 0.5 + 4});
}

BOOST_AUTO_TEST_CASE(computations_may_call_others) {
  const literal out = run(
      [](builder &b, auto p) {
        computation *add = b.scalar_computation(opcode::add, et::s32);
        computation *outer =
            scalar_graph(b.owner(), "outer", {et::s32, et::s32},
                         [&](builder &s, auto q) { return s.call(add, q); });
        return b.reduce(p[0], b.constant_s32(1), {0}, outer);
      },
      list(vector_of(et::s32, {2, 3})));
  expect(out, {6});
}

BOOST_AUTO_TEST_CASE(reduces_several_arrays_together) {
  // The largest value and its position; the first wins among equals.
  const literal out = run(
      [](builder &b, auto p) {
        computation *larger = scalar_graph(
            b.owner(), "larger", {et::f32, et::s32, et::f32, et::s32},
            [](builder &s, auto q) {
              const value keep = s.compare(comparison::ge, q[0], q[2]);
              const value both[] = {s.select(keep, q[0], q[2]),
                                    s.select(keep, q[1], q[3])};
              return s.tuple(both);
            });
        attributes a;
        a.dimensions = {1};
        a.called = {larger};
        return b.append(opcode::reduce,
                        {p[0], b.iota(array_shape(et::s32, {2, 3}), 1),
                         b.constant_real(et::f32, -infinity),
                         b.constant_s32(-1)},
                        a);
      },
      list(array(et::f32, {2, 3}, {1, 5, 5, 7, 2, 6})));
  expect(out.elements()[0], {5, 7});
  expect(out.elements()[1], {1, 0});
}

BOOST_AUTO_TEST_CASE(results_that_swap_arguments) {
  const literal out = run(
      [](builder &b, auto p) {
        computation *swap = scalar_graph(b.owner(), "swap",
                                         {et::s32, et::s32, et::s32, et::s32},
                                         [](builder &s, auto q) {
                                           const value both[] = {q[1], q[0]};
                                           return s.tuple(both);
                                         });
        attributes a;
        a.dimensions = {0};
        a.called = {swap};
        return b.append(opcode::reduce,
                        {p[0], p[0], b.constant_s32(1), b.constant_s32(2)}, a);
      },
      list(vector_of(et::s32, {0, 0, 0})));
  expect(out.elements()[0], {2});
  expect(out.elements()[1], {1});
}

BOOST_AUTO_TEST_CASE(windows) {
  expect(
      window(opcode::add, vector_of(et::f32, {1, 2, 3, 4}), 0, {{2, 1, 0, 0}}),
      {3, 5, 7});
  expect(
      window(opcode::add, vector_of(et::f32, {1, 2, 3, 4}), 0, {{2, 2, 1, 1}}),
      {1, 5, 4});
  // A running sum, as cumulative probabilities use it.
  expect(window(opcode::add, vector_of(et::s32, {1, 2, 3}), 0, {{3, 1, 2, 0}}),
         {1, 3, 6});
  expect(
      window(opcode::maximum, table(), -infinity, {{2, 1, 0, 0}, {2, 1, 0, 0}}),
      {5, 6});
  expect(window(opcode::add, vector_of(et::f32, {1}), 0, {{2, 1, 0, 0}}), {});
}

BOOST_AUTO_TEST_CASE(refuses_combiners_of_another_type) {
  BOOST_CHECK_THROW(run(
                        [](builder &b, auto p) {
                          return b.reduce(
                              p[0], b.constant_real(et::f32, 0), {0},
                              b.scalar_computation(opcode::add, et::s32));
                        },
                        list(vector_of(et::f32, {1}))),
                    error);
}

BOOST_AUTO_TEST_CASE(random_sums_agree_with_plain_loops) {
  std::mt19937 random(5);
  const literal x = random_array(random, et::f32, {3, 4, 5});
  std::vector<double> wanted;
  for (std::int64_t j = 0; j < 4; ++j) {
    double sum = 0;
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t k = 0; k < 5; ++k)
        sum += x.real((i * 4 + j) * 5 + k);
    wanted.push_back(static_cast<float>(sum));
  }
  expect(reduce(opcode::add, x.clone(), 0, {0, 2}), wanted);
}

BOOST_AUTO_TEST_SUITE_END()
