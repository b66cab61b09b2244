// The two halves of the compiler: what the first gives may be kept as text.
#include "hlo/support/error.hpp"
#include "hlo/text/parser.hpp"
#include "hlo/text/printer.hpp"
#include "neuron/compiler/compiler.hpp"
#include "runtime/models/model_source.hpp"
#include "runtime/shard/model_plan.hpp"
#include "tests/fixtures.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;

namespace {

std::unique_ptr<hlo::module> step_of(const std::string &name) {
  const auto spec =
      runtime::model_source::open(testing::fixture("models/" + name))->spec();
  runtime::engine_config config;
  config.graph.tensor_parallel_degree = 2;
  return hlo::build_step_graph(spec, runtime::plan_model(spec, config).graph(8))
      .graph;
}

} // namespace

BOOST_AUTO_TEST_SUITE(lowering)

BOOST_AUTO_TEST_CASE(text_lowers_to_the_same_program) {
  for (const char *name : {"llama", "gpt2", "bloom", "opt", "mistral-bf16"})
    for (const neuron::isa set : neuron::available_isas()) {
      const auto graph = step_of(name);
      const auto direct = neuron::compile(*graph, {set});
      const auto text = hlo::print(*neuron::optimise(*graph, {set}));
      const auto again = neuron::lower(hlo::parse(text, name), {set});
      BOOST_TEST(direct->print() == again->print());
      BOOST_TEST(direct->arena_bytes == again->arena_bytes);
      BOOST_TEST((direct->outputs == again->outputs));
      BOOST_TEST(std::ranges::equal(direct->constants.bytes(),
                                    again->constants.bytes()));
      for (std::size_t i = 0; i < direct->parameters.size(); ++i)
        BOOST_TEST((direct->parameters[i].how == again->parameters[i].how));
    }
}

BOOST_AUTO_TEST_CASE(a_call_without_a_kernel_is_refused) {
  std::shared_ptr<hlo::module> m = hlo::parse(R"(HloModule m

%body (x: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  ROOT %y = f32[2]{0} add(%x, %x)
}

ENTRY %main (p: f32[2]) -> f32[2] {
  %p = f32[2]{0} parameter(0)
  ROOT %c = f32[2]{0} call(%p), to_apply=%body
}
)",
                                              "text");
  try {
    neuron::lower(m, {});
    BOOST_FAIL("lowered");
  } catch (const error &e) {
    BOOST_TEST((e.code() == error_code::unsupported));
    BOOST_TEST(e.where() == "c");
  }
  BOOST_CHECK_NO_THROW(neuron::lower(neuron::optimise(*m, {}), {}));
}

BOOST_AUTO_TEST_CASE(the_version_names_the_sources) {
  const auto version = neuron::compiler_version();
  BOOST_TEST(version.find('+') != version.npos);
  BOOST_TEST(version.size() - version.find('+') == 13u);
}

BOOST_AUTO_TEST_SUITE_END()
