#include "tests/hlo/evaluator_support.hpp"

#include <algorithm>
#include <numeric>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::hlo::testing;

namespace {

/// Sorts by the first operand; parameters of the comparator come in pairs.
literal sort(std::vector<literal> keys, std::int64_t dimension,
             comparison direction) {
  return run(
      [&](builder &b, auto p) {
        std::vector<et> types;
        for (const value v : p)
          types.insert(types.end(), 2, v->form.type);
        computation *before =
            scalar_graph(b.owner(), "before", types, [&](builder &s, auto q) {
              return s.compare(direction, q[0], q[1]);
            });
        return b.sort(p, dimension, true, before);
      },
      keys);
}

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_sort)

BOOST_AUTO_TEST_CASE(sorts_along_any_dimension) {
  const auto x = [] { return array(et::s32, {2, 3}, {3, 1, 2, 0, 5, 4}); };
  expect(sort(list(x()), 1, comparison::lt), {1, 2, 3, 0, 4, 5});
  expect(sort(list(x()), 0, comparison::lt), {0, 1, 2, 3, 5, 4});
  expect(sort(list(x()), 1, comparison::gt), {3, 2, 1, 5, 4, 0});
}

BOOST_AUTO_TEST_CASE(carries_other_operands_along_stably) {
  const literal out = sort(list(vector_of(et::f32, {2, 1, 2, 1}),
                                vector_of(et::s32, {0, 1, 2, 3}),
                                vector_of(et::bf16, {10, 11, 12, 13})),
                           0, comparison::gt);
  expect(out.elements()[0], {2, 2, 1, 1});
  expect(out.elements()[1], {0, 2, 1, 3});
  expect(out.elements()[2], {10, 12, 11, 13});
}

BOOST_AUTO_TEST_CASE(empty_and_single) {
  expect(sort(list(vector_of(et::f32, {})), 0, comparison::lt), {});
  expect(sort(list(array(et::f32, {0, 2}, {})), 1, comparison::lt), {});
  expect(sort(list(vector_of(et::f32, {4})), 0, comparison::lt), {4});
}

BOOST_AUTO_TEST_CASE(no_order_still_gives_a_permutation) {
  literal out = sort(list(vector_of(et::f32, {not_a_number, 3, not_a_number, 1,
                                              2, not_a_number, 0})),
                     0, comparison::lt);
  std::vector<double> got = reals(out);
  BOOST_TEST(std::count_if(got.begin(), got.end(),
                           [](double v) { return std::isnan(v); }) == 3);
  std::erase_if(got, [](double v) { return std::isnan(v); });
  std::sort(got.begin(), got.end());
  BOOST_TEST(got == (std::vector<double>{0, 1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(agrees_with_the_library_on_random_lines) {
  std::mt19937 random(9);
  for (std::int64_t n = 1; n < 40; ++n) {
    const literal x = random_array(random, et::s32, {n}, -10, 10);
    std::vector<double> keys = reals(x), places(keys.size());
    std::iota(places.begin(), places.end(), 0);
    auto order = places;
    std::stable_sort(order.begin(), order.end(), [&](double a, double b) {
      return keys[static_cast<std::size_t>(a)] <
             keys[static_cast<std::size_t>(b)];
    });
    const literal out =
        sort(list(x.clone(), vector_of(et::s32, places)), 0, comparison::lt);
    expect(out.elements()[1], order);
  }
}

BOOST_AUTO_TEST_CASE(refuses_a_comparator_that_does_not_fit) {
  BOOST_CHECK_THROW(run(
                        [](builder &b, auto p) {
                          return b.sort(
                              p, 0, true,
                              b.scalar_computation(opcode::add, et::f32));
                        },
                        list(vector_of(et::f32, {1}))),
                    error);
}

BOOST_AUTO_TEST_SUITE_END()
