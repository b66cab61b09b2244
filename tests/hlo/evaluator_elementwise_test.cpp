#include "hlo/evaluator/operation.hpp"
#include "tests/hlo/evaluator_support.hpp"

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::hlo::testing;

namespace {

literal unary(opcode op, literal x) {
  return run([op](builder &b, auto p) { return b.unary(op, p[0]); },
             list(std::move(x)));
}

literal binary(opcode op, literal x, literal y) {
  return run([op](builder &b, auto p) { return b.binary(op, p[0], p[1]); },
             list(std::move(x), std::move(y)));
}

literal compare(comparison direction, literal x, literal y) {
  return run(
      [=](builder &b, auto p) { return b.compare(direction, p[0], p[1]); },
      list(std::move(x), std::move(y)));
}

constexpr std::int64_t lowest64 = std::numeric_limits<std::int64_t>::min();

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_elementwise)

BOOST_AUTO_TEST_CASE(rounding_to_whole_numbers) {
  const std::vector<double> x{-2.5, -0.5,     0.5,         1.5,
                              2.5,  infinity, not_a_number};
  expect(unary(opcode::floor, vector_of(et::f32, x)),
         {-3, -1, 0, 1, 2, infinity, not_a_number});
  expect(unary(opcode::ceil, vector_of(et::f32, x)),
         {-2, -0.0, 1, 2, 3, infinity, not_a_number});
  expect(unary(opcode::round_nearest_even, vector_of(et::f32, x)),
         {-2, -0.0, 0, 2, 2, infinity, not_a_number});
}

BOOST_AUTO_TEST_CASE(signs) {
  const std::vector<double> x{-3, -0.0, 0, 2, -infinity, not_a_number};
  expect(unary(opcode::sign, vector_of(et::bf16, x)),
         {-1, -0.0, 0, 1, -1, not_a_number});
  expect(unary(opcode::abs, vector_of(et::f16, x)),
         {3, 0, 0, 2, infinity, not_a_number});
  expect(unary(opcode::negate, vector_of(et::f64, x)),
         {3, 0, -0.0, -2, infinity, not_a_number});
  expect(unary(opcode::sign, vector_of(et::s32, {-5, 0, 9})), {-1, 0, 1});
  expect(unary(opcode::sign, vector_of(et::u8, {0, 200})), {0, 1});
  expect(unary(opcode::abs, vector_of(et::s8, {-128, -1, 127})),
         {-128, 1, 127});
  expect_integers(unary(opcode::abs, integers(et::s64, {lowest64, -7})),
                  {lowest64, 7});
  expect(unary(opcode::negate, vector_of(et::u32, {1})), {4294967295.0});
}

BOOST_AUTO_TEST_CASE(finiteness) {
  expect(unary(opcode::is_finite, vector_of(et::f16, {1, infinity, -infinity,
                                                      not_a_number, 65504})),
         {1, 0, 0, 0, 1});
}

BOOST_AUTO_TEST_CASE(functions_are_the_correctly_rounded_ones) {
  const std::vector<std::pair<opcode, double (*)(double)>> functions{
      {opcode::exponential, [](double x) { return std::exp(x); }},
      {opcode::log, [](double x) { return std::log(x); }},
      {opcode::logistic, [](double x) { return 1 / (1 + std::exp(-x)); }},
      {opcode::tanh, [](double x) { return std::tanh(x); }},
      {opcode::erf, [](double x) { return std::erf(x); }},
      {opcode::sine, [](double x) { return std::sin(x); }},
      {opcode::cosine, [](double x) { return std::cos(x); }},
      {opcode::sqrt, [](double x) { return std::sqrt(x); }},
      {opcode::rsqrt, [](double x) { return 1 / std::sqrt(x); }},
  };
  std::mt19937 random(1);
  for (const auto &[op, f] : functions) {
    const literal x = random_array(random, et::f32, {64}, -4, 4);
    std::vector<double> wanted;
    for (const double v : reals(x))
      wanted.push_back(static_cast<float>(f(v)));
    expect(unary(op, x.clone()), wanted);
  }
}

BOOST_AUTO_TEST_CASE(functions_at_their_edges) {
  const std::vector<double> x{-infinity, 0, infinity, not_a_number};
  expect(unary(opcode::exponential, vector_of(et::f32, x)),
         {0, 1, infinity, not_a_number});
  expect(unary(opcode::logistic, vector_of(et::f32, x)),
         {0, 0.5, 1, not_a_number});
  expect(unary(opcode::tanh, vector_of(et::f32, x)), {-1, 0, 1, not_a_number});
  expect(unary(opcode::erf, vector_of(et::f32, x)), {-1, 0, 1, not_a_number});
  expect(unary(opcode::log, vector_of(et::f32, {0, -1, infinity})),
         {-infinity, not_a_number, infinity});
  expect(unary(opcode::rsqrt, vector_of(et::f32, {0, 4, infinity})),
         {infinity, 0.5, 0});
}

BOOST_AUTO_TEST_CASE(complements) {
  expect(unary(opcode::not_, vector_of(et::pred, {0, 1})), {1, 0});
  expect(unary(opcode::not_, vector_of(et::s32, {0, -1, 5})), {-1, 0, -6});
  expect(unary(opcode::not_, vector_of(et::u8, {0, 255, 1})), {255, 0, 254});
}

BOOST_AUTO_TEST_CASE(floating_arithmetic_rounds_once) {
  // 1 + 2^-8 is a tie between bf16 neighbours, 1 + 2^-8 + 2^-15 lies above.
  expect(binary(opcode::add, vector_of(et::bf16, {1, 1}),
                vector_of(et::bf16, {0x1p-8, 0x1.02p-8})),
         {1, 1 + 0x1p-7});
  expect(binary(opcode::multiply, vector_of(et::f16, {65504, -3}),
                vector_of(et::f16, {2, 0})),
         {infinity, -0.0});
  expect(binary(opcode::divide, vector_of(et::f32, {1, -1, 0, 1}),
                vector_of(et::f32, {0, 0, 0, 3})),
         {infinity, -infinity, not_a_number, static_cast<double>(1.0f / 3.0f)});
  expect(binary(opcode::subtract, vector_of(et::f64, {1, infinity}),
                vector_of(et::f64, {0x1p-53, infinity})),
         {1 - 0x1p-53, not_a_number});
  expect(binary(opcode::power, vector_of(et::f32, {2, -8, 0, 4}),
                vector_of(et::f32, {10, 3, -1, 0.5})),
         {1024, -512, infinity, 2});
}

BOOST_AUTO_TEST_CASE(extremes_propagate_nan) {
  const std::vector<double> x{1, not_a_number, 3, -infinity},
      y{2, 0, not_a_number, 5};
  expect(binary(opcode::maximum, vector_of(et::f32, x), vector_of(et::f32, y)),
         {2, not_a_number, not_a_number, 5});
  expect(binary(opcode::minimum, vector_of(et::f32, x), vector_of(et::f32, y)),
         {1, not_a_number, not_a_number, -infinity});
  expect_integers(
      binary(opcode::maximum, integers(et::u64, {-1}), integers(et::u64, {1})),
      {-1});
  expect_integers(
      binary(opcode::maximum, integers(et::s64, {-1}), integers(et::s64, {1})),
      {1});
}

BOOST_AUTO_TEST_CASE(remainder_follows_the_dividend) {
  expect(binary(opcode::remainder, vector_of(et::f32, {5.5, -5.5, 5.5, 1, 3}),
                vector_of(et::f32, {2, 2, -2, 0, infinity})),
         {1.5, -1.5, 1.5, not_a_number, 3});
  expect(binary(opcode::remainder,
                vector_of(et::s32, {7, -7, 7, 5, -2147483648.0}),
                vector_of(et::s32, {3, 3, -3, 0, -1})),
         {1, -1, 1, 5, 0});
}

BOOST_AUTO_TEST_CASE(integer_division) {
  expect(binary(opcode::divide, vector_of(et::s32, {7, -7, 9, -2147483648.0}),
                vector_of(et::s32, {2, 2, 0, -1})),
         {3, -3, -1, -2147483648.0});
  expect(binary(opcode::divide, vector_of(et::u32, {4294967295.0, 1}),
                vector_of(et::u32, {2, 0})),
         {2147483647, 4294967295.0});
  expect_integers(
      binary(opcode::divide, integers(et::u64, {-2}), integers(et::u64, {3})),
      {0x5555555555555554});
  expect_integers(binary(opcode::divide, integers(et::s64, {lowest64}),
                         integers(et::s64, {-1})),
                  {lowest64});
}

BOOST_AUTO_TEST_CASE(integers_wrap) {
  expect(binary(opcode::add, vector_of(et::s8, {127, -128}),
                vector_of(et::s8, {1, -1})),
         {-128, 127});
  expect(
      binary(opcode::subtract, vector_of(et::u8, {0}), vector_of(et::u8, {1})),
      {255});
  expect(binary(opcode::multiply, vector_of(et::u32, {0x9E3779B9}),
                vector_of(et::u32, {0x85EBCA6B})),
         {static_cast<double>(0x9E3779B9u * 0x85EBCA6Bu)});
  // Beyond 2^53 a double would lose the last bits.
  expect_integers(binary(opcode::add, integers(et::s64, {(1LL << 60) + 1}),
                         integers(et::s64, {1})),
                  {(1LL << 60) + 2});
  expect_integers(binary(opcode::multiply, integers(et::u64, {-1}),
                         integers(et::u64, {-1})),
                  {1});
  expect(binary(opcode::power, vector_of(et::s32, {3, -1, -1, 2, 0, 7}),
                vector_of(et::s32, {5, -3, -2, -1, 0, 0})),
         {243, -1, 1, 0, 1, 1});
}

BOOST_AUTO_TEST_CASE(bits_and_shifts) {
  const auto u32 = [](std::vector<double> v) { return vector_of(et::u32, v); };
  expect(binary(opcode::xor_, u32({0xF0F0, 1}), u32({0xFFFF, 1})), {0x0F0F, 0});
  expect(binary(opcode::and_, u32({12}), u32({10})), {8});
  expect(binary(opcode::or_, u32({12}), u32({10})), {14});
  expect(binary(opcode::shift_left, u32({0x80000001, 1, 1}), u32({1, 31, 32})),
         {2, 2147483648.0, 0});
  expect(binary(opcode::shift_right_logical, u32({0x80000000, 8, 8}),
                u32({31, 2, 40})),
         {1, 2, 0});
  expect(binary(opcode::shift_right_logical, vector_of(et::s32, {-1, -1, -1}),
                vector_of(et::s32, {28, 0, -1})),
         {15, -1, 0});
  expect(binary(opcode::shift_right_logical, vector_of(et::s8, {-128}),
                vector_of(et::s8, {7})),
         {1});
}

BOOST_AUTO_TEST_CASE(truth_values) {
  const auto p = [] { return vector_of(et::pred, {0, 0, 1, 1}); };
  const auto q = [] { return vector_of(et::pred, {0, 1, 0, 1}); };
  expect(binary(opcode::and_, p(), q()), {0, 0, 0, 1});
  expect(binary(opcode::or_, p(), q()), {0, 1, 1, 1});
  expect(binary(opcode::xor_, p(), q()), {0, 1, 1, 0});
  expect(binary(opcode::add, p(), q()), {0, 1, 1, 1});
  expect(binary(opcode::multiply, p(), q()), {0, 0, 0, 1});
  expect(binary(opcode::maximum, p(), q()), {0, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(comparisons) {
  const auto x = [] {
    return vector_of(et::f32, {1, 2, not_a_number, -0.0, not_a_number});
  };
  const auto y = [] { return vector_of(et::f32, {2, 2, 1, 0, not_a_number}); };
  expect(compare(comparison::eq, x(), y()), {0, 1, 0, 1, 0});
  expect(compare(comparison::ne, x(), y()), {1, 0, 1, 0, 1});
  expect(compare(comparison::lt, x(), y()), {1, 0, 0, 0, 0});
  expect(compare(comparison::le, x(), y()), {1, 1, 0, 1, 0});
  expect(compare(comparison::gt, x(), y()), {0, 0, 0, 0, 0});
  expect(compare(comparison::ge, x(), y()), {0, 1, 0, 1, 0});
  expect(
      compare(comparison::gt, integers(et::u64, {-1}), integers(et::u64, {1})),
      {1});
  expect(compare(comparison::lt, integers(et::s64, {(1LL << 60)}),
                 integers(et::s64, {(1LL << 60) + 1})),
         {1});
}

BOOST_AUTO_TEST_CASE(clamps_with_scalar_and_full_bounds) {
  const graph clamp = [](builder &b, auto p) {
    return b.clamp(p[0], p[1], p[2]);
  };
  expect(
      run(clamp, list(literal::scalar(et::f32, -1),
                      vector_of(et::f32, {-5, 0, 5, not_a_number, -infinity}),
                      literal::scalar(et::f32, 1))),
      {-1, 0, 1, not_a_number, -1});
  expect(
      run(clamp, list(vector_of(et::s32, {0, 2}), vector_of(et::s32, {-5, 9}),
                      vector_of(et::s32, {4, 3}))),
      {0, 3});
}

BOOST_AUTO_TEST_CASE(selects_bits_unchanged) {
  const graph select = [](builder &b, auto p) {
    return b.select(p[0], p[1], p[2]);
  };
  expect(run(select, list(vector_of(et::pred, {1, 0, 1}),
                          vector_of(et::bf16, {1, 2, not_a_number}),
                          vector_of(et::bf16, {4, 5, 6}))),
         {1, 5, not_a_number});
  expect_integers(run(select, list(vector_of(et::pred, {1, 0}),
                                   integers(et::s64, {lowest64 + 1, 0}),
                                   integers(et::s64, {0, lowest64 + 3}))),
                  {lowest64 + 1, lowest64 + 3});
}

BOOST_AUTO_TEST_CASE(empty_arrays_and_scalars) {
  expect(unary(opcode::negate, array(et::f32, {0, 3}, {})), {});
  expect(unary(opcode::negate, literal::scalar(et::f32, 2)), {-2});
}

BOOST_AUTO_TEST_CASE(refuses_types_without_a_meaning) {
  computation c("c");
  const shape form = array_shape(et::f32, {1});
  const instruction *op = c.append(opcode::xor_, form, {}, {});
  const literal x(form), out(form);
  const literal_view in[] = {x.view(), x.view()};
  BOOST_CHECK_EXCEPTION(
      evaluate_operation(*op, in, out.view()), error,
      [](const error &e) { return e.code() == error_code::unsupported; });
}

BOOST_AUTO_TEST_CASE(works_in_place) {
  computation c("c");
  const shape form = array_shape(et::f32, {3});
  const instruction *op = c.append(opcode::add, form, {}, {});
  const literal x = vector_of(et::f32, {1, 2, 3});
  const literal_view in[] = {x.view(), x.view()};
  evaluate_operation(*op, in, x.view());
  expect(x, {2, 4, 6});
}

BOOST_AUTO_TEST_SUITE_END()
