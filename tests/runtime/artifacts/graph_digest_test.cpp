// The hash of a step graph, which finds its program, is the same everywhere.
#include "hlo/proto/serialise.hpp"
#include "runtime/artifacts/digest.hpp"
#include "runtime/models/model_source.hpp"
#include "runtime/shard/model_plan.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/copied_model.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

std::string digest_at(const std::string &directory, std::int64_t tp_degree) {
  const auto source = model_source::open(directory);
  engine_config config;
  config.model.dtype = weight_dtype::f32;
  config.graph.tensor_parallel_degree = tp_degree;
  config.graph.kv_blocks = 64; // by default as many as memory has room for
  const auto plan = plan_model(source->spec(), config);
  const auto step = hlo::build_step_graph(source->spec(), plan.graph(64));
  return digest_of(hlo::serialise(*step.graph)).text();
}

} // namespace

BOOST_AUTO_TEST_SUITE(graph_digest)

// A change of these is a change of every user's compiled artefacts.
BOOST_AUTO_TEST_CASE(is_what_it_was) {
  BOOST_TEST(digest_at(fixture("models/llama"), 1) ==
             "05c5c3cac8192a8c64921000b38efab0");
  BOOST_TEST(digest_at(fixture("models/llama"), 2) ==
             "2222977848e1c2c08bd9fb0054102ea5");
  BOOST_TEST(digest_at(fixture("models/gpt2"), 1) ==
             "d6258720a773e2784446245909c798b3");
}

BOOST_AUTO_TEST_CASE(does_not_depend_on_the_directory) {
  const copied_model other("llama");
  BOOST_TEST(digest_at(other.path(), 2) ==
             digest_at(fixture("models/llama"), 2));
}

BOOST_AUTO_TEST_SUITE_END()
