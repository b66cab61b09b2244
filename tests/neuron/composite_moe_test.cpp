// Mixture of experts against its decompositions.
#include "hlo/composites/moe.hpp"
#include "tests/neuron/composite_case.hpp"

#include <limits>
#include <numeric>

using namespace ganglion;
using namespace ganglion::testing;
using hlo::expert_weights;

namespace {

/// Experts as inputs: N inner columns each.
std::vector<expert_weights> add_experts(composite_case &c, element_type type,
                                        std::int64_t experts, std::int64_t k,
                                        std::int64_t n) {
  std::vector<expert_weights> out;
  const double up = 1 / std::sqrt(double(k)), down = 1 / std::sqrt(double(n));
  for (std::int64_t e = 0; e < experts; ++e)
    out.push_back({c.input(c.normal(type, {n, k}, up)),
                   c.input(c.normal(type, {n, k}, up)),
                   c.input(c.normal(type, {k, n}, down))});
  return out;
}

/// Gates with `chosen` of every row not zero.
literal some_gates(composite_case &c, std::int64_t rows, std::int64_t experts,
                   std::int64_t chosen) {
  literal out(hlo::array_shape(element_type::f32, {rows, experts}));
  std::vector<std::int64_t> order(static_cast<std::size_t>(experts));
  std::iota(order.begin(), order.end(), 0);
  std::uniform_real_distribution<double> draw(0.1, 1.0);
  for (std::int64_t r = 0; r < rows; ++r) {
    std::shuffle(order.begin(), order.end(), c.random);
    for (std::int64_t i = 0; i < chosen; ++i)
      out.set_real(r * experts + order[static_cast<std::size_t>(i)],
                   draw(c.random));
  }
  return out;
}

/// An expert's inner values are rounded to the storage type: both sides may
/// round to neighbours, which moves what the down projection adds up by an
/// ulp each; all values are of the order of 1.
double slack_of(element_type type, std::int64_t k, std::int64_t n) {
  return 2 * ulp_of(type, 1.0) * std::sqrt(double(n)) +
         16 * static_cast<double>(k + n) * unit;
}

void check_experts(unsigned seed, element_type type, std::int64_t rows,
                   std::int64_t experts, std::int64_t chosen,
                   hlo::activation f = hlo::activation::silu) {
  composite_case c(seed);
  const auto k = c.pick({8, 33, 64, 129}), n = c.pick({8, 20, 65, 130});
  const value x = c.input(c.normal(type, {rows, k}));
  const value gates = c.input(some_gates(c, rows, experts, chosen));
  const auto weights = add_experts(c, type, experts, k, n);
  c.finish(expert_mlp(c.b, x, gates, weights, f, chosen));
  c.check([=](std::int64_t) { return slack_of(type, k, n); });
}

/// Checks that gates have `chosen` entries that sum to 1, wherever they are.
void check_route(composite_case &c, literal logits, std::int64_t chosen) {
  c.finish(route(c.b, c.input(std::move(logits)), chosen));
  c.check([](std::int64_t) { return 8 * unit; });
}

std::vector<double> routed(const std::vector<float> &logits,
                           std::int64_t chosen, neuron::isa set) {
  hlo::module m("route");
  hlo::builder b(m, "main");
  const auto count = static_cast<std::int64_t>(logits.size());
  std::vector<literal> in;
  in.push_back(literal::from_floats({1, count}, logits));
  m.set_entry(b.build(route(b, b.parameter(0, in[0].form(), "x"), chosen)));
  bound_program p(neuron::compile(m, {set}), in);
  p.run();
  const literal out = p.output(0);
  std::vector<double> gates;
  for (std::int64_t e = 0; e < count; ++e)
    gates.push_back(out.real(e));
  return gates;
}

} // namespace

BOOST_AUTO_TEST_SUITE(composite_moe)

BOOST_AUTO_TEST_CASE(route_agrees_with_its_body) {
  unsigned seed = 1;
  for (const std::int64_t experts : {1, 2, 5, 8, 64})
    for (const std::int64_t chosen : {1, 2, 3, 8})
      for (const double scale : {0.1, 3.0, 60.0}) {
        composite_case c(seed++);
        const auto rows = c.pick({1, 3, 70});
        check_route(c, c.normal(element_type::f32, {rows, experts}, scale),
                    std::min(chosen, experts));
      }
}

BOOST_AUTO_TEST_CASE(among_equals_the_lower_number_is_chosen) {
  for (const neuron::isa set : neuron::available_isas()) {
    const std::vector<double> halves{0.5, 0, 0.5, 0};
    BOOST_TEST(routed({2, 1, 2, 2}, 2, set) == halves,
               boost::test_tools::per_element());
    const std::vector<double> first{1, 0, 0};
    BOOST_TEST(routed({-7, -7, -7}, 1, set) == first,
               boost::test_tools::per_element());
  }
  composite_case c(40);
  literal ties(hlo::array_shape(element_type::f32, {60, 6}));
  for (std::int64_t i = 0; i < ties.form().size(); ++i)
    ties.set_real(i, static_cast<double>(c.random() % 3));
  check_route(c, std::move(ties), 3);
}

BOOST_AUTO_TEST_CASE(rows_of_odd_numbers_choose_as_many_and_stay_alone) {
  composite_case c(50);
  literal logits = c.normal(element_type::f32, {9, 5});
  const double infinity = std::numeric_limits<double>::infinity();
  logits.set_real(5, std::numeric_limits<double>::quiet_NaN());
  logits.set_real(16, infinity);
  logits.set_real(22, -infinity);
  check_route(c, std::move(logits), 2);
}

BOOST_AUTO_TEST_CASE(experts_agree_with_their_body) {
  unsigned seed = 100;
  for (const auto type : storage_types)
    for (const std::int64_t rows : {1, 2, 7, 70})
      for (const auto &[experts, chosen] :
           {std::pair(1, 1), std::pair(5, 3), std::pair(8, 2), std::pair(4, 4)})
        check_experts(seed++, type, rows, experts, chosen);
  check_experts(seed, element_type::f32, 7, 4, 2, hlo::activation::gelu_tanh);
}

BOOST_AUTO_TEST_CASE(rows_may_have_fewer_experts_or_none) {
  for (const auto type : storage_types) {
    composite_case c(200);
    const value x = c.input(c.normal(type, {13, 20}));
    literal gates(hlo::array_shape(element_type::f32, {13, 4}));
    gates.set_real(3 * 4 + 2, 0.7); // row 3 alone, and row 12 twice
    gates.set_real(12 * 4 + 0, 0.2);
    gates.set_real(12 * 4 + 3, 0.8);
    const value g = c.input(std::move(gates));
    const auto weights = add_experts(c, type, 4, 20, 65);
    c.finish(expert_mlp(c.b, x, g, weights, hlo::activation::silu, 2));
    c.check([=](std::int64_t) { return slack_of(type, 20, 65); });
  }
}

BOOST_AUTO_TEST_CASE(an_expert_that_is_not_chosen_is_not_looked_at) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto type : storage_types) {
    composite_case c(300);
    literal rows = c.normal(type, {9, 20});
    for (std::int64_t i = 0; i < 20; ++i)
      rows.set_real(4 * 20 + i, nan);
    const value x = c.input(std::move(rows));
    const value g = c.input(some_gates(c, 9, 3, 1));
    auto weights = add_experts(c, type, 3, 20, 65);
    for (std::int64_t i = 0; i < c.arguments[3].form().size(); ++i)
      c.arguments[3].set_real(i, nan); // up of expert 0
    c.finish(expert_mlp(c.b, x, g, weights, hlo::activation::silu, 1));
    c.check([=](std::int64_t) { return slack_of(type, 20, 65); });
  }
}

BOOST_AUTO_TEST_CASE(an_expert_without_rows_is_not_even_read) {
  composite_case c(350);
  const value x = c.input(c.normal(element_type::f32, {9, 20}));
  literal gates(hlo::array_shape(element_type::f32, {9, 4}));
  for (std::int64_t r = 0; r < 9; ++r)
    gates.set_real(r * 4 + (r % 2 ? 1 : 3), 1.0);
  const value g = c.input(std::move(gates));
  const auto weights = add_experts(c, element_type::f32, 4, 20, 65);
  c.finish(expert_mlp(c.b, x, g, weights, hlo::activation::silu, 1));
  for (const neuron::isa set : neuron::available_isas()) {
    const auto code = neuron::compile(*c.graph, {set});
    bound_program whole(code, c.arguments), part(code, c.arguments);
    for (const std::size_t parameter : {2, 3, 4, 8, 9, 10})
      part.frame().parameters[parameter] = nullptr; // experts 0 and 2
    whole.run({.threads = 2});
    part.run({.threads = 2});
    BOOST_TEST(same_bits(whole.output(0), part.output(0)));
  }
}

BOOST_AUTO_TEST_CASE(gates_beyond_what_was_promised_stay_in_bounds) {
  composite_case c(400);
  const value x = c.input(c.normal(element_type::f32, {9, 20}));
  const value g = c.input(some_gates(c, 9, 4, 4));
  const auto weights = add_experts(c, element_type::f32, 4, 20, 65);
  c.finish(expert_mlp(c.b, x, g, weights, hlo::activation::silu, 2));
  for (const neuron::isa set : neuron::available_isas()) {
    bound_program p(neuron::compile(*c.graph, {set}), c.arguments);
    p.run({.threads = 2});
    BOOST_TEST(std::isfinite(p.output(0).real(0)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
