#include "tests/hlo/evaluator_support.hpp"

#include <numeric>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::hlo::testing;

namespace {

literal counting(et type, dims dimensions) {
  literal out(array_shape(type, std::move(dimensions)));
  for (std::int64_t i = 0; i < out.form().size(); ++i)
    out.set_integer(i, i);
  return out;
}

literal pad(literal x, std::vector<padding_dim> padding) {
  const et type = x.form().type;
  return run([&](builder &b, auto p) { return b.pad(p[0], p[1], padding); },
             list(std::move(x), literal::scalar(type, 9)));
}

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_movement)

BOOST_AUTO_TEST_CASE(constant_and_iota) {
  const graph make = [](builder &b, auto) {
    return b.add(b.constant(array(et::s32, {2, 3}, {0, 0, 0, 10, 10, 10})),
                 b.iota(array_shape(et::s32, {2, 3}), 1));
  };
  expect(run(make, {}), {0, 1, 2, 10, 11, 12});
  expect(run(
             [](builder &b, auto) {
               return b.iota(array_shape(et::bf16, {2, 2}), 0);
             },
             {}),
         {0, 0, 1, 1});
  expect(run(
             [](builder &b, auto) {
               return b.iota(array_shape(et::u8, {0, 2}), 1);
             },
             {}),
         {});
}

BOOST_AUTO_TEST_CASE(broadcasts) {
  const auto to = [](literal x, dims sizes, dims map) {
    return run(
        [&](builder &b, auto p) { return b.broadcast(p[0], sizes, map); },
        list(std::move(x)));
  };
  expect(to(vector_of(et::f32, {1, 2}), {2, 3}, {0}), {1, 1, 1, 2, 2, 2});
  expect(to(vector_of(et::f32, {1, 2, 3}), {2, 3}, {1}), {1, 2, 3, 1, 2, 3});
  expect(to(literal::scalar(et::s64, 4), {3}, {}), {4, 4, 4});
  expect(to(literal::scalar(et::s64, 4), {0}, {}), {});
  expect(to(literal::scalar(et::f16, 4), {}, {}), {4});
}

BOOST_AUTO_TEST_CASE(reshape_and_copy_keep_order) {
  const graph make = [](builder &b, auto p) {
    return b.append(opcode::copy, {b.reshape(p[0], {3, 2})}, {});
  };
  const literal out = run(make, list(counting(et::u8, {2, 3})));
  BOOST_TEST(out.form().dimensions == (dims{3, 2}));
  expect(out, {0, 1, 2, 3, 4, 5});
}

BOOST_AUTO_TEST_CASE(transposes) {
  const auto by = [](literal x, dims permutation) {
    return run(
        [&](builder &b, auto p) { return b.transpose(p[0], permutation); },
        list(std::move(x)));
  };
  expect(by(counting(et::f32, {2, 3}), {1, 0}), {0, 3, 1, 4, 2, 5});
  expect(by(counting(et::s8, {2, 2, 2}), {2, 0, 1}), {0, 2, 4, 6, 1, 3, 5, 7});
  const literal out =
      by(by(counting(et::f64, {2, 3, 4}), {2, 0, 1}), {1, 2, 0});
  expect(out, reals(counting(et::f64, {2, 3, 4})));
}

BOOST_AUTO_TEST_CASE(slices_with_strides) {
  attributes a;
  a.slice_starts = {1, 0};
  a.slice_limits = {2, 5};
  a.slice_strides = {1, 2};
  expect(run([&](builder &b,
                 auto p) { return b.append(opcode::slice, {p[0]}, a); },
             list(counting(et::s32, {2, 5}))),
         {5, 7, 9});
  expect(run([](builder &b, auto p) { return b.slice_in_dim(p[0], 0, 1, 1); },
             list(counting(et::s32, {2, 5}))),
         {});
}

BOOST_AUTO_TEST_CASE(reverses) {
  const auto over = [](literal x, dims dimensions) {
    return run([&](builder &b, auto p) { return b.reverse(p[0], dimensions); },
               list(std::move(x)));
  };
  expect(over(counting(et::s32, {2, 3}), {1}), {2, 1, 0, 5, 4, 3});
  expect(over(counting(et::s32, {2, 3}), {0, 1}), {5, 4, 3, 2, 1, 0});
  expect(over(counting(et::s32, {0, 3}), {0}), {});
}

BOOST_AUTO_TEST_CASE(concatenates) {
  const auto along = [](std::int64_t d, std::vector<literal> parts) {
    return run([&](builder &b, auto p) { return b.concatenate(p, d); }, parts);
  };
  expect(along(0, list(vector_of(et::bf16, {1}), vector_of(et::bf16, {}),
                       vector_of(et::bf16, {2, 3}))),
         {1, 2, 3});
  expect(along(1, list(array(et::s32, {2, 1}, {1, 2}),
                       array(et::s32, {2, 2}, {3, 4, 5, 6}))),
         {1, 3, 4, 2, 5, 6});
}

BOOST_AUTO_TEST_CASE(pads_outside_inside_and_negatively) {
  expect(pad(vector_of(et::f32, {1, 2, 3}), {{1, 2, 0}}), {9, 1, 2, 3, 9, 9});
  expect(pad(vector_of(et::f32, {1, 2, 3}), {{0, 0, 2}}),
         {1, 9, 9, 2, 9, 9, 3});
  expect(pad(vector_of(et::f32, {1, 2, 3, 4}), {{-1, -2, 0}}), {2});
  // 1 9 2 9 3 without its first two and with one more at the end
  expect(pad(vector_of(et::s32, {1, 2, 3}), {{-2, 1, 1}}), {2, 9, 3, 9});
  expect(pad(vector_of(et::s32, {1, 2, 3}), {{-1, 0, 1}}), {9, 2, 9, 3});
  expect(pad(vector_of(et::s32, {1}), {{-3, 3, 0}}), {9});
  expect(pad(vector_of(et::s32, {1}), {{3, -3, 0}}), {9});
  expect(pad(vector_of(et::s32, {}), {{1, 1, 5}}), {9, 9});
  expect(pad(array(et::s32, {1, 2}, {1, 2}), {{0, 1, 0}, {1, -1, 0}}),
         {9, 1, 9, 9});
}

BOOST_AUTO_TEST_CASE(random_pads_agree_with_the_definition) {
  std::mt19937 random(7);
  std::uniform_int_distribution<std::int64_t> size(0, 5), edge(-4, 4),
      gap(0, 3);
  for (int round = 0; round < 300; ++round) {
    const auto n = size(random);
    const padding_dim p{edge(random), edge(random), gap(random)};
    const auto total =
        p.low + p.high + n + std::max<std::int64_t>(n - 1, 0) * p.interior;
    if (total < 0)
      continue;
    std::vector<double> wanted(static_cast<std::size_t>(total), 9);
    for (std::int64_t i = 0; i < n; ++i)
      if (const auto at = p.low + i * (p.interior + 1); at >= 0 && at < total)
        wanted[static_cast<std::size_t>(at)] = static_cast<double>(i);
    expect(pad(counting(et::s32, {n}), {p}), wanted);
  }
}

BOOST_AUTO_TEST_CASE(refuses_too_many_dimensions) {
  BOOST_CHECK_THROW(
      run([](builder &b, auto p) { return b.reverse(p[0], {16}); },
          list(counting(et::s32, dims(17, 1)))),
      error);
}

BOOST_AUTO_TEST_SUITE_END()
