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

BOOST_AUTO_TEST_CASE(every_batch_size_has_a_step_graph) {
  using sizes = std::vector<std::int64_t>;
  const auto buckets = [](const sizes &contexts, const sizes &batches) {
    runtime::engine_config config;
    config.graph.context_length_estimate = contexts;
    config.graph.batch_sizes = batches;
    config.scheduling.max_rolling_batch_size = batches.back();
    return runtime::plan_model(mixture(), config).buckets();
  };
  BOOST_TEST((buckets({}, {4}) == sizes{4, 8, 64}));
  BOOST_TEST((buckets({}, {1, 8, 100}) == sizes{1, 8, 64, 100}));
  BOOST_TEST((buckets({16, 32}, {1, 4}) == sizes{1, 4, 16, 32}));
}

BOOST_AUTO_TEST_CASE(output_all_logits_is_for_all_rows_of_a_step) {
  runtime::engine_config config;
  config.graph.chunk = 128;
  const auto logit_rows = [&] {
    const auto plan = runtime::plan_model(mixture(), config);
    const auto step = hlo::build_step_graph(mixture(), plan.graph(128));
    return step.graph->entry()->root()->form.elements[0].dim(0);
  };
  BOOST_TEST(logit_rows() == 32 + 64);
  config.graph.output_all_logits = true;
  BOOST_TEST(logit_rows() == 128);
}

BOOST_AUTO_TEST_SUITE_END()
