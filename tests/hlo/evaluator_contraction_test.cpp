#include "tests/hlo/evaluator_support.hpp"

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::hlo::testing;

namespace {

literal dot(literal x, literal y, dot_dims d, et accumulate) {
  return run(
      [&](builder &b, auto p) { return b.dot(p[0], p[1], d, accumulate); },
      list(std::move(x), std::move(y)));
}

const dot_dims matmul{{1}, {0}, {}, {}};

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_contraction)

BOOST_AUTO_TEST_CASE(multiplies_matrices) {
  expect(dot(array(et::f32, {2, 2}, {1, 2, 3, 4}),
             array(et::f32, {2, 3}, {1, 0, 2, 0, 1, 3}), matmul, et::f32),
         {1, 2, 8, 3, 4, 18});
  expect(dot(vector_of(et::f64, {1, 2}), vector_of(et::f64, {3, 4}),
             {{0}, {0}, {}, {}}, et::f64),
         {11});
}

BOOST_AUTO_TEST_CASE(nothing_contracted_is_an_outer_product) {
  expect(
      dot(vector_of(et::s32, {1, 2}), vector_of(et::s32, {3, 4}), {}, et::s32),
      {3, 4, 6, 8});
}

BOOST_AUTO_TEST_CASE(empty_contractions_give_zero) {
  expect(dot(array(et::f32, {2, 0}, {}), array(et::f32, {0, 1}, {}), matmul,
             et::f32),
         {0, 0});
}

BOOST_AUTO_TEST_CASE(accumulates_wider_and_rounds_once) {
  // In bf16 steps the small terms would vanish one by one.
  expect(dot(array(et::bf16, {1, 3}, {256, 1, 1}),
             array(et::bf16, {3, 1}, {1, 1, 1}), matmul, et::bf16),
         {258});
  expect(dot(array(et::bf16, {1, 2}, {256, 1}), array(et::bf16, {2, 1}, {1, 1}),
             matmul, et::f32),
         {257});
  expect(dot(array(et::f32, {1, 3}, {1e30, 1, -1e30}),
             array(et::f32, {3, 1}, {1, 1, 1}), matmul, et::f32),
         {0});
}

BOOST_AUTO_TEST_CASE(integers_widen_or_wrap) {
  expect(dot(array(et::s8, {1, 2}, {-128, 127}),
             array(et::s8, {2, 1}, {127, 127}), matmul, et::s32),
         {-127});
  expect(dot(array(et::s8, {1, 2}, {100, 100}), array(et::s8, {2, 1}, {1, 1}),
             matmul, et::s8),
         {-56});
}

BOOST_AUTO_TEST_CASE(agrees_with_plain_loops_over_batches) {
  std::mt19937 random(11);
  const std::int64_t B = 2, M = 3, N = 4, K = 5;
  // lhs [K, B, M], rhs [N, K, B]: every kind of dimension out of place.
  const literal x = random_array(random, et::f32, {K, B, M});
  const literal y = random_array(random, et::f32, {N, K, B});
  std::vector<double> wanted;
  for (std::int64_t b = 0; b < B; ++b)
    for (std::int64_t m = 0; m < M; ++m)
      for (std::int64_t n = 0; n < N; ++n) {
        double sum = 0;
        for (std::int64_t k = 0; k < K; ++k)
          sum += x.real((k * B + b) * M + m) * y.real((n * K + k) * B + b);
        wanted.push_back(static_cast<float>(sum));
      }
  const literal out = dot(x.clone(), y.clone(), {{0}, {1}, {1}, {2}}, et::f32);
  BOOST_TEST(out.form().dimensions == (dims{B, M, N}));
  expect(out, wanted);
}

BOOST_AUTO_TEST_CASE(contracts_two_dimensions_in_the_order_given) {
  std::mt19937 random(12);
  const literal x = random_array(random, et::f32, {2, 3});
  const literal y = random_array(random, et::f32, {3, 2});
  double sum = 0;
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t j = 0; j < 3; ++j)
      sum += x.real(i * 3 + j) * y.real(j * 2 + i);
  expect(dot(x.clone(), y.clone(), {{0, 1}, {1, 0}, {}, {}}, et::f32),
         {static_cast<float>(sum)});
}

BOOST_AUTO_TEST_SUITE_END()
