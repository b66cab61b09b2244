#include "tests/hlo/evaluator_support.hpp"

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::hlo::testing;

namespace {

literal convert(literal x, et type) {
  return run([type](builder &b, auto p) { return b.convert(p[0], type); },
             list(std::move(x)));
}

literal bitcast(literal x, et type) {
  return run(
      [type](builder &b, auto p) { return b.bitcast_convert(p[0], type); },
      list(std::move(x)));
}

constexpr std::int64_t highest64 = std::numeric_limits<std::int64_t>::max();

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_convert)

BOOST_AUTO_TEST_CASE(truncates_and_saturates) {
  const auto x = [] {
    return vector_of(et::f32,
                     {1.9, -1.9, 300, -300, infinity, -infinity, not_a_number});
  };
  expect(convert(x(), et::s8), {1, -1, 127, -128, 127, -128, 0});
  expect(convert(x(), et::u8), {1, 0, 255, 0, 255, 0, 0});
  expect(convert(x(), et::s32),
         {1, -1, 300, -300, 2147483647, -2147483648.0, 0});
  expect_integers(convert(x(), et::s64),
                  {1, -1, 300, -300, highest64, -highest64 - 1, 0});
  expect_integers(convert(x(), et::u64), {1, 0, 300, 0, -1, 0, 0});
  expect(convert(vector_of(et::bf16, {-0.5}), et::u32), {0});
}

BOOST_AUTO_TEST_CASE(pred_means_not_zero) {
  expect(convert(vector_of(et::f32, {0, -0.0, 0.25, not_a_number}), et::pred),
         {0, 0, 1, 1});
  expect(convert(vector_of(et::s32, {0, 256, -1}), et::pred), {0, 1, 1});
  expect(convert(vector_of(et::pred, {0, 1}), et::bf16), {0, 1});
  expect(convert(vector_of(et::pred, {0, 1}), et::s64), {0, 1});
}

BOOST_AUTO_TEST_CASE(integers_wrap_between_widths) {
  expect(convert(vector_of(et::s32, {257, -1, 128}), et::s8), {1, -1, -128});
  expect(convert(vector_of(et::s32, {-1}), et::u32), {4294967295.0});
  expect_integers(convert(vector_of(et::s8, {-1}), et::u64), {-1});
  expect_integers(convert(vector_of(et::u32, {4294967295.0}), et::s64),
                  {4294967295});
}

BOOST_AUTO_TEST_CASE(doubles_round_once_to_small_types) {
  // Just above the tie between 1 and the next bf16 (f16): rounding to f32
  // first would land on the tie and then go down to even.
  expect(convert(vector_of(et::f64, {1 + 0x1p-8 + 0x1p-40}), et::bf16),
         {1 + 0x1p-7});
  expect(convert(vector_of(et::f64, {1 + 0x1p-11 + 0x1p-40}), et::f16),
         {1 + 0x1p-10});
  expect(convert(vector_of(et::f64, {1 + 0x1p-8, 1 + 3 * 0x1p-8}), et::bf16),
         {1, 1 + 0x1p-6});
  expect(convert(vector_of(et::f64, {0x1p-25, 0x1p-25 + 0x1p-60, 65519.99,
                                     65520, not_a_number, -infinity}),
                 et::f16),
         {0, 0x1p-24, 65504, infinity, not_a_number, -infinity});
}

BOOST_AUTO_TEST_CASE(wide_integers_round_once) {
  const std::int64_t above_tie = (1LL << 60) + (1LL << 36) + 1;
  expect(convert(integers(et::s64, {above_tie, -above_tie}), et::f32),
         {0x1p60 + 0x1p37, -0x1p60 - 0x1p37});
  const std::int64_t above_small_tie = (1LL << 60) + (1LL << 52) + 1;
  expect(convert(integers(et::s64, {above_small_tie}), et::bf16),
         {0x1p60 + 0x1p53});
  expect(convert(integers(et::u64, {-1}), et::f64), {0x1p64});
  expect(convert(integers(et::u64, {-1}), et::bf16), {0x1p64});
  expect(convert(integers(et::s64, {70000}), et::f16), {infinity});
  literal direct(array_shape(et::bf16, {1}));
  direct.set_integer(0, above_small_tie);
  expect(direct, {0x1p60 + 0x1p53});
}

BOOST_AUTO_TEST_CASE(small_types_widen_exactly) {
  literal every(array_shape(et::u32, {0x10000}));
  for (std::int64_t i = 0; i < 0x10000; ++i)
    reinterpret_cast<std::uint16_t *>(every.bytes().data())[i] =
        static_cast<std::uint16_t>(i);
  for (const et type : {et::f16, et::bf16}) {
    literal x(array_shape(type, {0x10000}));
    std::memcpy(x.bytes().data(), every.bytes().data(), x.bytes().size());
    const literal back = convert(convert(x.clone(), et::f64), type);
    expect(back, reals(x));
  }
}

BOOST_AUTO_TEST_CASE(bitcast_keeps_bits) {
  expect(bitcast(vector_of(et::f32, {1, -0.0}), et::u32),
         {0x3f800000, 2147483648.0});
  expect(bitcast(vector_of(et::s8, {-1}), et::u8), {255});
  expect(bitcast(bitcast(vector_of(et::bf16, {1.5}), et::f16), et::bf16),
         {1.5});
}

BOOST_AUTO_TEST_SUITE_END()
