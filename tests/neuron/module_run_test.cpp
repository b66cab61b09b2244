#include "hlo/evaluator/evaluator.hpp"
#include "hlo/proto/serialise.hpp"
#include "hlo/support/error.hpp"
#include "hlo/text/parser.hpp"
#include "neuron/compiler/module_run.hpp"
#include "runtime/artifacts/digest.hpp"
#include "tests/neuron/step_case.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;
using hlo::element_type;
using hlo::literal;

namespace {

const char *const families[] = {"bloom",   "gpt2",  "gpt_bigcode", "gpt_neox",
                                "gptj",    "llama", "llama3",      "mistral",
                                "mixtral", "opt",   "qwen2",       "qwen3"};

const std::vector<step_row> two_sequences = {
    {5, 0, 0}, {6, 1, 0}, {7, 2, 0, true}, {9, 0, 2}, {11, 1, 2, true}};

neuron::compile_options best() { return {neuron::available_isas().back()}; }

std::vector<std::vector<literal>> arguments_of(const step_case &c) {
  std::vector<std::vector<literal>> out;
  for (std::int64_t r = 0; r < c.options.sharding.tp_degree; ++r)
    out.push_back(c.arguments(two_sequences, r));
  return out;
}

std::string digest_of(const hlo::module &m) {
  return runtime::digest_of(std::string_view(hlo::serialise(m))).text();
}

std::string refusal(const hlo::module &m,
                    const std::vector<std::vector<literal>> &arguments) {
  try {
    neuron::run_module(m, arguments, best());
    return {};
  } catch (const error &e) {
    return e.describe();
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(module_run)

BOOST_DATA_TEST_CASE(step_graphs_survive_the_proto,
                     boost::unit_test::data::make(families), family) {
  for (const std::int64_t ranks : {1, 2}) {
    const step_case c(family, element_type::f32, ranks);
    const auto bytes = hlo::serialise(*c.step.graph);
    const auto back = hlo::deserialise(bytes, family);
    BOOST_TEST((hlo::serialise(*back) == bytes));
    BOOST_TEST(back->num_partitions == ranks);
    BOOST_TEST((back->aliases == c.step.graph->aliases));
    BOOST_TEST(back->aliases.size() == c.step.cache_parameters.size());
  }
}

BOOST_AUTO_TEST_CASE(a_step_graph_has_the_same_key_everywhere) {
  const step_case c("llama", element_type::bf16, 2);
  BOOST_TEST(digest_of(*c.step.graph) == "1ddfe590ed8dd35df971554309728e96");
}

BOOST_AUTO_TEST_CASE(ranks_of_a_step_read_back_agree_with_the_evaluator) {
  const step_case c("llama", element_type::f32, 2);
  const auto back = hlo::deserialise(hlo::serialise(*c.step.graph), "step");
  const auto arguments = arguments_of(c);
  const auto got = neuron::run_module(*back, arguments, best());
  const auto want = hlo::evaluate_partitions(*back, arguments);
  BOOST_REQUIRE(got.size() == 2u);
  for (std::size_t r = 0; r < got.size(); ++r) {
    const literal &logits = want[r].elements()[0];
    BOOST_REQUIRE(got[r].size() == want[r].elements().size());
    for (std::int64_t i = 0; i < 2 * logits.form().dim(1); ++i)
      BOOST_TEST(std::abs(got[r][0].real(i) - logits.real(i)) < 1e-4);
    // The caches come back in the graph's order, whatever the device's is.
    for (std::size_t k = 1; k < got[r].size(); ++k) {
      const literal &cache = want[r].elements()[k];
      double most = 0;
      for (std::int64_t i = 0; i < cache.form().size(); ++i)
        most = std::max(
            most, std::abs(double(got[r][k].real(i)) - double(cache.real(i))));
      BOOST_TEST(most < 1e-4);
    }
  }
}

BOOST_AUTO_TEST_CASE(indices_of_caches_that_are_not_there_are_refused) {
  const step_case c("llama", element_type::f32, 1);
  const auto with = [&](hlo::step_input input, std::int64_t value) {
    auto arguments = arguments_of(c);
    arguments[0][input].set_integer(1, value);
    return refusal(*c.step.graph, arguments);
  };
  BOOST_TEST(with(hlo::block_tables, 0) == "");
  BOOST_TEST(with(hlo::block_tables, 9) ==
             "arguments: block_tables: holds 9; accepted: 0 to 8");
  BOOST_TEST(with(hlo::row_slots, -1) ==
             "arguments: row_slots: holds -1; accepted: 0 to 3");
  BOOST_TEST(with(hlo::context_lengths, 33) ==
             "arguments: context_lengths: holds 33; accepted: 0 to 32");
}

BOOST_AUTO_TEST_CASE(arguments_of_another_shape_are_refused) {
  const auto m = hlo::parse("HloModule m\nENTRY main {\n"
                            " x = f32[3] parameter(0)\n"
                            " ROOT y = f32[3] negate(x) }\n",
                            "case");
  std::vector<std::vector<literal>> arguments(1);
  BOOST_TEST(refusal(*m, arguments) ==
             "arguments: main: 0 given; the module takes 1");
  arguments[0].push_back(literal::from_floats({2}, std::vector{1.0f, 2.0f}));
  BOOST_TEST(refusal(*m, arguments) ==
             "arguments: x: expected f32[3], got f32[2]");
  BOOST_TEST(refusal(*m, {}) == "arguments: num_partitions: arguments for 0 "
                                "partitions; the module has 1");
}

BOOST_AUTO_TEST_SUITE_END()
