#include "hlo/composites/embedding.hpp"
#include "hlo/composites/norm.hpp"
#include "hlo/evaluator/evaluator.hpp"
#include "hlo/support/error.hpp"
#include "hlo/text/parser.hpp"
#include "hlo/text/printer.hpp"
#include "hlo/verifier.hpp"
#include "tests/neuron/program_runner.hpp"
#include "tests/neuron/random_module.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;
using hlo::element_type;
using hlo::literal;
using hlo::opcode;
using hlo::value;

namespace {

/// Outputs and the parameters they live in equal the evaluator's; every other
/// parameter is left alone.
void check_equal(const hlo::module &m, std::span<const literal> arguments,
                 int threads = 1) {
  hlo::verify(m);
  const auto want = arrays_of(hlo::evaluate(m, arguments));
  bound_program p(neuron::compile(m, {neuron::available_isas().back()}),
                  arguments);
  p.run({.threads = threads});
  const auto got = p.outputs();
  BOOST_REQUIRE(got.size() == want.size());
  for (std::size_t k = 0; k < want.size(); ++k)
    BOOST_TEST(same_bits(got[k], want[k]),
               "output " << k
                         << " differs: " << hlo::print(*m.entry()->root()));
  std::vector<bool> home(arguments.size());
  for (const auto &a : m.aliases) {
    const auto number = static_cast<std::size_t>(a.parameter_number);
    home[number] = true;
    BOOST_TEST(same_bits(p.parameter(number),
                         want[static_cast<std::size_t>(a.output_index)]));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!home[i] && p.code().parameters[i].how == neuron::packing::row_major)
      BOOST_TEST(same_bits(p.parameter(i), arguments[i]),
                 "parameter " << i << " was changed");
}

std::vector<literal> counting_arguments(const hlo::module &m) {
  std::vector<literal> out;
  for (const auto *p : m.entry()->parameters()) {
    out.emplace_back(p->form);
    for (std::int64_t i = 0; i < p->form.size(); ++i)
      if (is_floating(p->form.type))
        out.back().set_real(i, static_cast<double>(i % 7) - 2.5);
      else
        out.back().set_integer(i, i % 3);
  }
  return out;
}

void check_text(const std::string &text) {
  const auto m = hlo::parse(text, "case");
  check_equal(*m, counting_arguments(*m));
}

void check_refused(const std::string &text, const std::string &named) {
  const auto m = hlo::parse(text, "case");
  BOOST_CHECK_EXCEPTION(neuron::compile(*m, {}), error, [&](const error &e) {
    BOOST_TEST_MESSAGE(e.describe());
    return e.code() == error_code::unsupported &&
           e.describe().find(named) != std::string::npos;
  });
}

hlo::shape floats(hlo::dims d) {
  return hlo::array_shape(element_type::f32, std::move(d));
}

} // namespace

BOOST_AUTO_TEST_SUITE(compiler)

BOOST_AUTO_TEST_CASE(random_modules_equal_the_evaluator) {
  for (unsigned seed = 1; seed <= 150; ++seed)
    BOOST_TEST_CONTEXT("seed " << seed) {
      const random_module r(seed);
      check_equal(*r.graph, r.arguments, 1 + static_cast<int>(seed % 2));
    }
}

BOOST_AUTO_TEST_CASE(outputs_may_be_parameters_and_repeat) {
  check_text(R"(HloModule m
ENTRY main {
  a = f32[3] parameter(0)
  b = f32[3] parameter(1)
  c = f32[3] add(a, b)
  ROOT t = (f32[3], f32[3], f32[3], f32[3]) tuple(a, c, a, c)
})");
  check_text("HloModule m\nENTRY main { ROOT a = f32[3] parameter(0) }\n");
}

BOOST_AUTO_TEST_CASE(aliased_outputs_swap_homes) {
  check_text(
      R"(HloModule m, input_output_alias={
  {0}: (1, {}, must-alias), {1}: (0, {}, must-alias),
  {2}: (2, {}, must-alias) }
ENTRY main {
  a = f32[3] parameter(0)
  b = f32[3] parameter(1)
  c = f32[3] parameter(2)
  s = f32[3] add(a, c)
  ROOT t = (f32[3], f32[3], f32[3], f32[3]) tuple(a, b, s, c)
})");
}

BOOST_AUTO_TEST_CASE(an_old_cache_that_is_still_read_is_not_overwritten) {
  for (const bool read_later : {false, true})
    for (const bool home : {false, true}) {
      hlo::module m("m");
      hlo::builder b(m, "main");
      const value rows = b.parameter(0, floats({2, 1, 4}), "rows");
      const value slots =
          b.parameter(1, hlo::array_shape(element_type::s32, {2}), "slots");
      const value old = b.parameter(2, floats({1, 1, 16, 4}), "cache");
      const value fresh = write_values(b, rows, slots, old);
      const value sum =
          read_later ? b.add(fresh, b.reshape(old, {1, 1, 16, 4})) : fresh;
      m.set_entry(b.build(b.tuple(std::array{fresh, sum})));
      if (home)
        m.aliases.push_back({0, 2, true});
      check_equal(m, counting_arguments(m), 2);
    }
}

BOOST_AUTO_TEST_CASE(a_weight_used_in_two_ways_keeps_its_shape) {
  hlo::module m("tied");
  hlo::builder b(m, "main");
  const value ids =
      b.parameter(0, hlo::array_shape(element_type::s32, {5}), "ids");
  const value table = b.parameter(1, floats({7, 4}), "table");
  const value other = b.parameter(2, floats({6, 4}), "other");
  const value hidden = embedding(b, ids, table);
  const auto none = hlo::activation::none;
  const value tied = linear(b, hidden, table, nullptr, none, element_type::f32);
  const value untied =
      linear(b, hidden, other, nullptr, none, element_type::f32);
  m.set_entry(b.build(b.tuple(std::array{tied, untied})));
  check_equal(m, counting_arguments(m));
  const auto p = neuron::compile(m, {});
  BOOST_TEST((p->parameters[1].how == neuron::packing::row_major));
  BOOST_TEST((p->parameters[2].how == neuron::packing::panels));
}

BOOST_AUTO_TEST_CASE(types_without_a_kernel_run_the_body) {
  hlo::module m("doubles");
  hlo::builder b(m, "main");
  const auto doubles = [](hlo::dims d) {
    return hlo::array_shape(element_type::f64, std::move(d));
  };
  const value x = b.parameter(0, floats({3, 4}), "x");
  const value w = b.parameter(1, doubles({4}), "w");
  const value rows = b.parameter(2, doubles({3, 4}), "rows");
  const value table = b.parameter(3, doubles({5, 4}), "table");
  const value product =
      linear(b, rows, table, nullptr, hlo::activation::relu, element_type::f64);
  m.set_entry(b.build(b.tuple(
      std::array{rms_norm(b, x, w, 1e-5, element_type::f64), product})));
  check_equal(m, counting_arguments(m));
}

BOOST_AUTO_TEST_CASE(long_lives_do_not_overlap) {
  hlo::module m("lives");
  hlo::builder b(m, "main");
  std::vector<value> alive{b.parameter(0, floats({33}), "x")};
  for (int i = 0; i < 100; ++i)
    alive.push_back(b.add(alive.back(), b.filled_like(alive[0], i)));
  value sum = alive[0];
  for (const value v : alive)
    sum = b.add(sum, v);
  m.set_entry(b.build(sum));
  check_equal(m, counting_arguments(m));
}

BOOST_AUTO_TEST_CASE(an_endless_loop_is_an_error_of_the_run) {
  const auto m = hlo::parse(R"(HloModule m
yes { s = s32[] parameter(0)
  ROOT t = pred[] constant(true) }
same { ROOT s = s32[] parameter(0) }
ENTRY main {
  x = s32[] parameter(0)
  ROOT w = s32[] while(x), condition=yes, body=same
})",
                            "case");
  bound_program p(neuron::compile(*m, {}), counting_arguments(*m));
  for (const int threads : {1, 2})
    BOOST_CHECK_THROW(p.run({.threads = threads}), error);
}

BOOST_AUTO_TEST_CASE(ranks_read_their_own_number_in_loops_too) {
  const auto m = hlo::parse(R"(HloModule m, num_partitions=4
goes_on { s = (s32[], u32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT t = pred[] compare(i, n), direction=LT }
turn { s = (s32[], u32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  u = u32[] get-tuple-element(s), index=1
  p = u32[] partition-id()
  v = u32[] add(u, p)
  ROOT t = (s32[], u32[]) tuple(j, v) }
ENTRY main {
  i = s32[] parameter(0)
  p = u32[] partition-id()
  s = (s32[], u32[]) tuple(i, p)
  w = (s32[], u32[]) while(s), condition=goes_on, body=turn
  ROOT r = u32[] get-tuple-element(w), index=1
})",
                            "case");
  bound_program p(neuron::compile(*m, {}), counting_arguments(*m));
  for (const int rank : {0, 3}) {
    p.run({.rank = rank});
    BOOST_TEST(p.output(0).integer(0) == 4 * rank);
  }
}

BOOST_AUTO_TEST_CASE(what_the_device_cannot_do_is_refused_by_name) {
  const std::string add = "HloModule m, num_partitions=2\n"
                          "add { a = f32[] parameter(0)\n b = f32[] "
                          "parameter(1)\n ROOT c = f32[] add(a, b) }\n"
                          "most { a = f32[] parameter(0)\n b = f32[] "
                          "parameter(1)\n ROOT c = f32[] maximum(a, b) }\n";
  const auto entry = [&](const std::string &body) {
    return add + "ENTRY main {\n" + body + "}\n";
  };
  check_refused(entry("x = f32[4] parameter(0)\n ROOT sum_of_a_vector = f32[4] "
                      "all-reduce(x), replica_groups={{0,1}}, channel_id=1, "
                      "to_apply=add\n"),
                "sum_of_a_vector");
  check_refused(entry("x = f32[4,2] parameter(0)\n ROOT largest = f32[4,2] "
                      "all-reduce(x), replica_groups={{0,1}}, channel_id=1, "
                      "to_apply=most\n"),
                "largest");
  check_refused(entry("x = f32[4,2] parameter(0)\n ROOT alone = f32[4,2] "
                      "all-reduce(x), replica_groups={{0},{1}}, channel_id=1, "
                      "to_apply=add\n"),
                "alone");
  check_refused(entry("x = f32[4,2] parameter(0)\n ROOT parted = f32[2,2] "
                      "reduce-scatter(x), replica_groups={{0,1}}, "
                      "channel_id=1, dimensions={0}, to_apply=most\n"),
                "parted");
  check_refused(entry("x = (f32[4], s32[]) parameter(0)\n ROOT y = f32[4] "
                      "get-tuple-element(x), index=0\n"),
                "x");
}

BOOST_AUTO_TEST_CASE(collectives_within_control_flow_are_refused) {
  check_refused(R"(HloModule m, num_partitions=2
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b) }
sums { x = f32[4,2] parameter(0)
  ROOT inner_sum = f32[4,2] all-reduce(x), replica_groups={{0,1}},
    channel_id=1, to_apply=add }
same { ROOT x = f32[4,2] parameter(0) }
ENTRY main {
  p = pred[] parameter(0)
  x = f32[4,2] parameter(1)
  ROOT c = f32[4,2] conditional(p, x, x), true_computation=sums,
    false_computation=same
})",
                "inner_sum");
}

BOOST_AUTO_TEST_SUITE_END()
