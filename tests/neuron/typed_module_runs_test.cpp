#include "hlo/evaluator/evaluator.hpp"
#include "hlo/proto/serialise.hpp"
#include "hlo/text/parser.hpp"
#include "hlo/text/printer.hpp"
#include "neuron/compiler/module_run.hpp"
#include "tests/neuron/program_runner.hpp"
#include "tests/neuron/typed_module.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

constexpr unsigned modules = 400;

} // namespace

BOOST_AUTO_TEST_SUITE(typed_module_runs)

BOOST_AUTO_TEST_CASE(device_and_files_agree_with_the_evaluator) {
  for (unsigned seed = 1; seed <= modules; ++seed)
    BOOST_TEST_CONTEXT("seed " << seed) {
      typed_module r(seed);
      const auto text = hlo::print(*r.graph);
      BOOST_TEST(hlo::print(*hlo::parse(text, "text")) == text);
      const auto bytes = hlo::serialise(*r.graph);
      const auto read = hlo::deserialise(bytes, "proto");
      BOOST_TEST((hlo::serialise(*read) == bytes));
      const auto want = arrays_of(hlo::evaluate(*read, r.arguments));
      std::vector<std::vector<hlo::literal>> arguments;
      arguments.push_back(std::move(r.arguments));
      const auto results = neuron::run_module(
          *r.graph, arguments, {neuron::available_isas().back()});
      const auto &got = results[0];
      BOOST_REQUIRE(got.size() == want.size());
      for (std::size_t k = 0; k < want.size(); ++k)
        BOOST_TEST(same_bits(got[k], want[k]),
                   "output " << k << " differs in " << text);
    }
}

BOOST_AUTO_TEST_CASE(nearly_every_operation_appears) {
  std::set<hlo::opcode> seen;
  for (unsigned seed = 1; seed <= modules; ++seed) {
    const typed_module r(seed);
    for (const auto &c : r.graph->computations())
      for (const auto &i : c->instructions())
        seen.insert(i->op);
  }
  std::set<std::string> missing;
  for (int op = 0; op <= static_cast<int>(hlo::opcode::reduce_scatter); ++op)
    if (!seen.contains(static_cast<hlo::opcode>(op)))
      missing.insert(std::string(to_string(static_cast<hlo::opcode>(op))));
  // What needs several partitions, and what every implementation draws for
  // itself.
  const std::set<std::string> expected{"all-gather",     "all-reduce",
                                       "all-to-all",     "partition-id",
                                       "reduce-scatter", "rng"};
  BOOST_TEST(missing == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
