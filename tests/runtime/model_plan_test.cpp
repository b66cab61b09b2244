// The sizes of a plan against those of the programs made from it.
#include "runtime/shard/compiled_steps.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ganglion;
using hlo::expert_sharding;

namespace {

hlo::decoder_spec mixture() {
  hlo::decoder_spec s;
  s.family = "mixtral";
  s.layers = 2;
  s.hidden = 128;
  s.heads = s.kv_heads = 4;
  s.head_dim = 32;
  s.mlp = 256;
  s.vocabulary = 512;
  s.n_positions = 64;
  s.rotary.frequencies.assign(16, 1.0f);
  s.mlp_form = hlo::mlp_kind::experts;
  s.experts = 6;
  s.experts_per_token = 2;
  return s;
}

/// What a rank's program keeps of weights; tables are shared by all ranks.
double bytes_of(const runtime::compiled_steps &steps, std::int64_t ranks) {
  double sum = 0;
  for (const auto &w : steps.weights()) {
    const auto bytes =
        static_cast<double>(steps.parameter(w.parameter_number).bytes());
    const bool shared = w.name.starts_with("embedding.");
    sum += shared ? bytes / static_cast<double>(ranks) : bytes;
  }
  return sum;
}

} // namespace

BOOST_AUTO_TEST_SUITE(model_plan)

BOOST_DATA_TEST_CASE(weight_bytes_of_a_mixture_of_experts,
                     boost::unit_test::data::make({1, 2}), tp_degree) {
  for (const auto experts :
       {expert_sharding::split, expert_sharding::distributed}) {
    runtime::engine_config config;
    config.graph.tensor_parallel_degree = tp_degree;
    config.graph.experts = experts;
    const auto plan = runtime::plan_model(mixture(), config);
    const auto steps = runtime::compiled_steps::compile(mixture(), plan,
                                                        neuron::isa::portable);
    const double kept = bytes_of(*steps, tp_degree);
    BOOST_TEST_MESSAGE("planned " << plan.weight_bytes << ", kept " << kept);
    // The router's 6 outputs take a whole panel.
    BOOST_TEST(std::abs(double(plan.weight_bytes) / kept - 1) < 0.03);
  }
}

BOOST_AUTO_TEST_SUITE_END()
