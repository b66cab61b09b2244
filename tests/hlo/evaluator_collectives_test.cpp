#include "tests/hlo/evaluator_support.hpp"

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::hlo::testing;

namespace {

/// Partition r holds base + 10 * r.
std::vector<literal> run_on(std::int64_t partitions, const literal &base,
                            const graph &make) {
  module m("test");
  m.num_partitions = partitions;
  std::vector<std::vector<literal>> arguments;
  for (std::int64_t r = 0; r < partitions; ++r) {
    literal x = base.clone();
    for (std::int64_t i = 0; i < x.form().size(); ++i)
      x.set_real(i, x.real(i) + 10 * static_cast<double>(r));
    arguments.push_back(list(std::move(x)));
  }
  set_entry(m, make, arguments[0]);
  return evaluate_partitions(m, arguments);
}

literal pair() { return vector_of(et::f32, {1, 2}); }
literal quad() { return vector_of(et::f32, {1, 2, 3, 4}); }
const std::vector<dims> halves{{0, 2}, {3, 1}};

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_collectives)

BOOST_AUTO_TEST_CASE(partition_ids) {
  const auto out =
      run_on(4, pair(), [](builder &b, auto) { return b.partition_id(); });
  for (std::size_t r = 0; r < 4; ++r)
    expect(out[r], {static_cast<double>(r)});
}

BOOST_AUTO_TEST_CASE(all_reduce) {
  const graph all = [](builder &b, auto p) { return b.all_reduce(p[0], {}); };
  for (const auto &out : run_on(2, pair(), all))
    expect(out, {12, 14});
  for (const auto &out : run_on(4, pair(), all))
    expect(out, {64, 68});
  expect(run_on(1, pair(), all)[0], {1, 2});
  const auto grouped = run_on(
      4, pair(), [](builder &b, auto p) { return b.all_reduce(p[0], halves); });
  expect(grouped[0], {22, 24});
  expect(grouped[1], {42, 44});
  expect(grouped[2], {22, 24});
  expect(grouped[3], {42, 44});
}

BOOST_AUTO_TEST_CASE(all_reduce_rounds_once) {
  // 256 + 1 + 1 in steps of bf16 would stay at 256.
  module m("test");
  m.num_partitions = 3;
  std::vector<std::vector<literal>> arguments;
  for (const double v : {256.0, 1.0, 1.0})
    arguments.push_back(list(literal::scalar(et::bf16, v)));
  set_entry(
      m, [](builder &b, auto p) { return b.all_reduce(p[0], {}); },
      arguments[0]);
  for (const auto &out : evaluate_partitions(m, arguments))
    expect(out, {258});
}

BOOST_AUTO_TEST_CASE(all_reduce_by_another_computation_in_group_order) {
  const auto out = run_on(4, pair(), [](builder &b, auto p) {
    attributes a;
    a.replica_groups = halves;
    a.called = {b.scalar_computation(opcode::subtract, et::f32)};
    return b.append(opcode::all_reduce, {p[0]}, a);
  });
  expect(out[0], {-20, -20});
  expect(out[1], {20, 20}); // group {3, 1}: 31 - 11
}

BOOST_AUTO_TEST_CASE(all_gather) {
  for (const auto &out : run_on(2, pair(), [](builder &b, auto p) {
         return b.all_gather(p[0], 0, {});
       }))
    expect(out, {1, 2, 11, 12});
  const auto columns =
      run_on(4, array(et::f32, {2, 1}, {1, 2}),
             [](builder &b, auto p) { return b.all_gather(p[0], 1, halves); });
  expect(columns[0], {1, 21, 2, 22});
  expect(columns[1], {31, 11, 32, 12}); // the group's order is {3, 1}
}

BOOST_AUTO_TEST_CASE(reduce_scatter) {
  const graph all = [](builder &b, auto p) {
    return b.reduce_scatter(p[0], 0, {});
  };
  const auto two = run_on(2, quad(), all);
  expect(two[0], {12, 14});
  expect(two[1], {16, 18});
  const auto four = run_on(4, quad(), all);
  for (std::size_t r = 0; r < 4; ++r)
    expect(four[r], {64 + 4 * static_cast<double>(r)});
  const auto columns =
      run_on(2, array(et::f32, {2, 2}, {1, 2, 3, 4}),
             [](builder &b, auto p) { return b.reduce_scatter(p[0], 1, {}); });
  expect(columns[0], {12, 16});
  expect(columns[1], {14, 18});
}

BOOST_AUTO_TEST_CASE(all_to_all) {
  const graph all = [](builder &b, auto p) {
    return b.all_to_all(p[0], 0, {});
  };
  const auto two = run_on(2, quad(), all);
  expect(two[0], {1, 2, 11, 12});
  expect(two[1], {3, 4, 13, 14});
  const auto four = run_on(4, quad(), all);
  expect(four[2], {3, 13, 23, 33});
  const auto grouped = run_on(4, quad(), [](builder &b, auto p) {
    return b.all_to_all(p[0], 0, halves);
  });
  expect(grouped[1], {33, 34, 13, 14}); // second of group {3, 1}
}

BOOST_AUTO_TEST_CASE(scatter_then_gather_is_all_reduce) {
  const auto out = run_on(4, quad(), [](builder &b, auto p) {
    return b.subtract(b.all_gather(b.reduce_scatter(p[0], 0, {}), 0, {}),
                      b.all_reduce(p[0], {}));
  });
  for (const auto &o : out)
    expect(o, {0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(refuses_groups_that_do_not_partition) {
  const auto with = [](std::vector<dims> groups) {
    return run_on(2, pair(), [&](builder &b, auto p) {
      return b.all_reduce(p[0], groups);
    });
  };
  BOOST_CHECK_THROW(with({{0}}), error);
  BOOST_CHECK_THROW(with({{0, 1, 1}}), error);
  BOOST_CHECK_THROW(with({{0, 2}}), error);
  BOOST_CHECK_THROW(with({{0, -1}}), error);
}

BOOST_AUTO_TEST_CASE(refuses_a_collective_that_not_all_reach) {
  const graph half = [](builder &b, auto p) {
    module &m = b.owner();
    const shape s = p[0]->form;
    builder yes(m, "yes"), no(m, "no");
    const value x = yes.parameter(0, s, "x"), y = no.parameter(0, s, "y");
    computation *const branches[] = {yes.build(yes.all_reduce(x, {})),
                                     no.build(no.unary(opcode::negate, y))};
    const value which = b.compare(comparison::eq, b.partition_id(),
                                  b.constant(literal::scalar(et::u32, 0)));
    const value operands[] = {p[0], p[0]};
    return b.conditional(which, operands, branches);
  };
  BOOST_CHECK_EXCEPTION(run_on(2, pair(), half), error, [](const error &e) {
    return e.describe().find("only 1 of 2") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
