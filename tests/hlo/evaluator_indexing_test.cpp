#include "hlo/evaluator/operation.hpp"
#include "tests/hlo/evaluator_support.hpp"

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::hlo::testing;

namespace {

literal matrix() { // 3 x 4: 0 .. 11
  literal out(array_shape(et::f32, {3, 4}));
  for (std::int64_t i = 0; i < 12; ++i)
    out.set_integer(i, i);
  return out;
}

literal dynamic_slice(double row, double column, dims sizes) {
  return run([&](builder &b,
                 auto p) { return b.dynamic_slice(p[0], p.subspan(1), sizes); },
             list(matrix(), literal::scalar(et::s32, row),
                  literal::scalar(et::s32, column)));
}

literal scatter(literal x, literal indices, literal updates, scatter_dims d,
                const std::function<computation *(builder &)> &combiner) {
  return run(
      [&](builder &b, auto p) {
        return b.scatter(p[0], p[1], p[2], d, combiner(b));
      },
      list(std::move(x), std::move(indices), std::move(updates)));
}

computation *replacing(builder &b) {
  return scalar_graph(b.owner(), "replace", {et::f32, et::f32},
                      [](builder &, auto p) { return p[1]; });
}

/// Rows of updates into rows of the operand, one index each.
const scatter_dims rows{{1}, {0}, {0}, 1};

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_indexing)

BOOST_AUTO_TEST_CASE(dynamic_slices_clamp_their_starts) {
  expect(dynamic_slice(1, 2, {1, 2}), {6, 7});
  expect(dynamic_slice(9, 3, {2, 2}), {6, 7, 10, 11});
  expect(dynamic_slice(-4, -1, {1, 1}), {0});
  expect(dynamic_slice(0, 0, {0, 4}), {});
}

BOOST_AUTO_TEST_CASE(unsigned_starts_are_not_negative) {
  const literal out =
      run([](builder &b,
             auto p) { return b.dynamic_slice(p[0], p.subspan(1), {1}); },
          list(vector_of(et::f32, {1, 2, 3}), [] {
            literal start(scalar_shape(et::u64));
            start.set_integer(0, -1);
            return start;
          }()));
  expect(out, {3});
}

BOOST_AUTO_TEST_CASE(dynamic_updates_clamp_their_starts) {
  const auto update = [](double start) {
    return run(
        [](builder &b, auto p) {
          return b.dynamic_update_slice(p[0], p[1], p.subspan(2));
        },
        list(vector_of(et::s32, {1, 2, 3, 4}), vector_of(et::s32, {8, 9}),
             literal::scalar(et::s32, start)));
  };
  expect(update(1), {1, 8, 9, 4});
  expect(update(7), {1, 2, 8, 9});
  expect(update(-7), {8, 9, 3, 4});
}

BOOST_AUTO_TEST_CASE(gathers_rows_clamping) {
  expect(run([](builder &b, auto p) { return b.gather_rows(p[0], p[1]); },
             list(matrix(), vector_of(et::s32, {2, -1, 99}))),
         {8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11});
  expect(run([](builder &b, auto p) { return b.gather_rows(p[0], p[1]); },
             list(matrix(), vector_of(et::s32, {}))),
         {});
}

BOOST_AUTO_TEST_CASE(gathers_windows_by_index_vectors) {
  gather_dims d;
  d.offset_dims = {0, 2};
  d.start_index_map = {1, 0}; // column first
  d.index_vector_dim = 0;
  d.slice_sizes = {2, 2};
  // Two starts: (column 1, row 0) and (column 9, row 1), clamped to (2, 1).
  const literal out =
      run([&](builder &b, auto p) { return b.gather(p[0], p[1], d); },
          list(matrix(), array(et::s32, {2, 2}, {1, 9, 0, 1})));
  BOOST_TEST(out.form().dimensions == (dims{2, 2, 2}));
  expect(out, {1, 2, 6, 7, 5, 6, 10, 11});
}

BOOST_AUTO_TEST_CASE(gathers_scalars) {
  gather_dims d;
  d.collapsed_slice_dims = {0, 1};
  d.start_index_map = {0, 1};
  d.index_vector_dim = 1;
  d.slice_sizes = {1, 1};
  expect(run([&](builder &b, auto p) { return b.gather(p[0], p[1], d); },
             list(matrix(), array(et::s64, {3, 2}, {0, 0, 1, 2, 5, -5}))),
         {0, 6, 8});
}

BOOST_AUTO_TEST_CASE(scatters_rows_and_drops_those_outside) {
  expect(scatter(matrix(), vector_of(et::s32, {2, 3, -1}),
                 array(et::f32, {3, 4}, std::vector<double>(12, 50)), rows,
                 replacing),
         {0, 1, 2, 3, 4, 5, 6, 7, 50, 50, 50, 50});
}

BOOST_AUTO_TEST_CASE(later_updates_win_and_sums_accumulate) {
  const auto x = [] { return array(et::f32, {2, 1}, {1, 2}); };
  const auto at = [] { return vector_of(et::s32, {1, 1, 0}); };
  const auto updates = [] { return array(et::f32, {3, 1}, {10, 20, 30}); };
  expect(scatter(x(), at(), updates(), rows, replacing), {30, 20});
  expect(scatter(x(), at(), updates(), rows,
                 [](builder &b) {
                   return b.scalar_computation(opcode::add, et::f32);
                 }),
         {31, 32});
  // old - update, in order
  expect(scatter(x(), at(), updates(), rows,
                 [](builder &b) {
                   return b.scalar_computation(opcode::subtract, et::f32);
                 }),
         {-29, -28});
}

BOOST_AUTO_TEST_CASE(a_window_partly_outside_is_dropped_whole) {
  const scatter_dims windows{{1}, {}, {0}, 1};
  const auto at = [&](double start) {
    return scatter(vector_of(et::f32, {1, 2, 3}),
                   array(et::s32, {1, 1}, {start}),
                   array(et::f32, {1, 2}, {8, 9}), windows, replacing);
  };
  expect(at(1), {1, 8, 9});
  expect(at(2), {1, 2, 3});
  expect(at(-1), {1, 2, 3});
}

BOOST_AUTO_TEST_CASE(scatters_in_place) {
  computation replace("replace");
  replace.append(opcode::parameter, scalar_shape(et::f32), {}, {});
  attributes second;
  second.parameter_number = 1;
  replace.append(opcode::parameter, scalar_shape(et::f32), {}, second);
  attributes a;
  a.scatter = rows;
  a.called = {&replace};
  computation c("c");
  const literal x = matrix(), at = vector_of(et::s32, {0}),
                update = array(et::f32, {1, 4}, {7, 7, 7, 7});
  const instruction *op = c.append(opcode::scatter, x.form(), {}, a);
  const literal_view in[] = {x.view(), at.view(), update.view()};
  evaluate_operation(*op, in, x.view());
  expect(x, {7, 7, 7, 7, 4, 5, 6, 7, 8, 9, 10, 11});
}

BOOST_AUTO_TEST_CASE(random_gathers_undo_random_scatters) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> order{0, 1, 2, 3, 4, 5};
    std::shuffle(order.begin(), order.end(), random);
    const literal updates = random_array(random, et::f32, {6, 3});
    const literal x(array_shape(et::f32, {6, 3}));
    const literal out = run(
        [](builder &b, auto p) {
          return b.gather_rows(b.scatter(p[0], p[1], p[2], rows, replacing(b)),
                               p[1]);
        },
        list(x.clone(), vector_of(et::s32, order), updates.clone()));
    expect(out, reals(updates));
  }
}

BOOST_AUTO_TEST_SUITE_END()
