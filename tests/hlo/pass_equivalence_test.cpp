#include "hlo/evaluator/evaluator.hpp"
#include "hlo/passes/inline_calls.hpp"
#include "hlo/passes/inline_composites.hpp"
#include "hlo/passes/pass_pipeline.hpp"
#include "tests/hlo/hlo_cases.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <random>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::testing;

namespace {

literal random_value(const shape &s, std::mt19937 &random) {
  literal out(s);
  std::uniform_int_distribution<int> draw(-20, 20);
  for (std::int64_t i = 0; i < s.size(); ++i)
    if (is_floating(s.type))
      out.set_real(i, draw(random) * 0.37);
    else
      out.set_integer(i, std::abs(draw(random)) % 2);
  return out;
}

bool same_bits(const literal &a, const literal &b) {
  if (a.elements().size() != b.elements().size())
    return false;
  for (std::size_t i = 0; i < a.elements().size(); ++i)
    if (!same_bits(a.elements()[i], b.elements()[i]))
      return false;
  return std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin(),
                    b.bytes().end());
}

std::vector<literal> results_of(const module &m) {
  std::mt19937 random(7);
  std::vector<std::vector<literal>> arguments(
      static_cast<std::size_t>(m.num_partitions));
  for (auto &partition : arguments)
    for (const instruction *p : m.entry()->parameters())
      partition.push_back(random_value(p->form, random));
  return evaluate_partitions(m, arguments);
}

} // namespace

BOOST_AUTO_TEST_SUITE(pass_equivalence)

BOOST_DATA_TEST_CASE(
    no_bit_changes,
    boost::unit_test::data::make(
        {"elementwise.hlo", "data_movement.hlo", "indexing.hlo",
         "contraction.hlo", "reduction.hlo", "structure.hlo", "constants.hlo",
         "collectives.hlo", "foreign_spelling.hlo",
         "passes/inline_composites.hlo", "passes/inline_plain_calls.hlo",
         "passes/dead_code_elimination.hlo",
         "passes/common_subexpression_elimination.hlo",
         "passes/constant_folding.hlo"}),
    name) {
  const auto m = parse(read_case(name), name);
  const auto before = results_of(*m);
  inline_composites(*m);
  inline_plain_calls(*m);
  simplification_pipeline().run(*m);
  const auto after = results_of(*m);
  BOOST_REQUIRE(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    BOOST_TEST(same_bits(before[i], after[i]));
}

BOOST_AUTO_TEST_SUITE_END()
