// Steps of a small random model: plans that ranks accept, costs that add up,
// and the same tokens with and without actors.
#include "benchmarks/machine/process_usage.hpp"
#include "benchmarks/model/model_directory.hpp"
#include "benchmarks/model/synthetic_tokenizer.hpp"
#include "benchmarks/net/closed_loop.hpp"
#include "benchmarks/step/step_subject.hpp"
#include "hlo/support/error.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace ganglion;
using namespace ganglion::benchmarks;

namespace {

runtime::synthetic_spec small_spec() {
  runtime::synthetic_spec spec;
  spec.vocab = 320;
  return spec;
}

engine_config small_config(const std::string &directory) {
  engine_config c;
  c.model.model_id = directory;
  c.graph.tensor_parallel_degree = 2;
  c.graph.n_positions = 96;
  c.graph.chunk = 16;
  c.scheduling.max_rolling_batch_size = 2;
  return c;
}

} // namespace

BOOST_AUTO_TEST_SUITE(step_measuring)

BOOST_AUTO_TEST_CASE(all_phases_are_sampled) {
  const temporary_directory directory;
  write_model(directory.path(), small_spec());
  step_settings s;
  s.prompt = 20;
  s.steps = 4;
  s.batches = {1, 2};
  step_subject subject(small_config(directory.path()), s);
  subject.repeat();
  BOOST_TEST(subject.type() == "f32");
  BOOST_TEST(subject.tp_degree() == 2);
  BOOST_TEST(subject.phases().size() == 3u);
  for (const auto &p : subject.phases()) {
    BOOST_TEST(p.program.at(0) > 0);
    BOOST_TEST(p.whole.at(0) >= p.program.at(0));
    BOOST_TEST(p.collective_share.at(0) > 0);
    BOOST_TEST(p.collective_share.at(0) < 1);
    BOOST_TEST(p.limit_share.at(0) > 0);
    BOOST_TEST(p.sink.at(0) > 0);
  }
}

BOOST_AUTO_TEST_CASE(int8_weights_are_a_subject_of_their_own) {
  const temporary_directory directory;
  write_model(directory.path(), small_spec());
  step_settings s;
  s.prompt = 20;
  s.steps = 4;
  s.batches = {1};
  s.engine = false;
  auto config = small_config(directory.path());
  step_subject plain(config, s);
  config.graph.quantize = hlo::quantisation::static_int8;
  step_subject quantised(config, s);
  quantised.repeat();
  BOOST_TEST(quantised.type() == "f32 static_int8");
  BOOST_TEST(quantised.phases().at(1).program.at(0) > 0);
  BOOST_TEST(quantised.phases().at(1).work.operations ==
             plain.phases().at(1).work.operations);
  BOOST_TEST(quantised.phases().at(1).work.bytes <
             plain.phases().at(1).work.bytes);
}

BOOST_AUTO_TEST_CASE(chunks_cost_what_the_prompt_costs) {
  hlo::decoder_spec spec;
  spec.layers = 2;
  spec.hidden = 8;
  spec.heads = spec.kv_heads = 2;
  spec.head_dim = 4;
  spec.mlp = 16;
  spec.vocabulary = 100;
  const step_cost cost(spec, hlo::element_type::bf16);
  // Four square matrices, three of the MLP, two layers; and the head.
  const double elements = 2 * (4 * 64 + 3 * 128) + 800;
  BOOST_TEST(cost.weight_bytes() == 2 * elements);
  // One byte for elements of layers; the head stays.
  BOOST_TEST(
      step_cost(spec, hlo::element_type::bf16, hlo::quantisation::static_int8)
          .weight_bytes() == elements - 800 + 2 * 800);
  const auto one = cost.decode(1, 10);
  BOOST_TEST(one.operations == 2 * elements + 2 * 4 * 8 * 10);
  BOOST_TEST(one.bytes == 2 * elements + 2 * 2 * 2 * 8 * 10);
  auto parts = cost.prefill(0, 6, 0);
  parts += cost.prefill(6, 4, 1);
  BOOST_TEST(parts.operations == cost.prefill(0, 10, 1).operations);
  BOOST_TEST(parts.bytes > cost.prefill(0, 10, 1).bytes);
}

BOOST_AUTO_TEST_CASE(rows_cost_the_experts_they_choose) {
  hlo::decoder_spec spec;
  spec.layers = 1;
  spec.hidden = 8;
  spec.heads = spec.kv_heads = 2;
  spec.head_dim = 4;
  spec.mlp = 16;
  spec.vocabulary = 100;
  spec.mlp_form = hlo::mlp_kind::experts;
  spec.experts = 4;
  spec.experts_per_token = 1;
  const step_cost cost(spec, hlo::element_type::f32);
  const double others = 4 * 64 + 4 * 8 + 800, expert = 3 * 128;
  BOOST_TEST(cost.weight_bytes() == 4 * (others + 4 * expert));
  const double cache = 4 * 2 * 8;
  BOOST_TEST(cost.decode(1, 1).bytes == 4 * (others + expert) + cache);
  // The second row chooses the first one's expert once in four times.
  BOOST_TEST(cost.decode(2, 1).bytes ==
             4 * (others + 1.75 * expert) + 2 * cache);
  BOOST_TEST(cost.decode(2, 1).operations ==
             2 * 2 * (others + expert) + 2 * 4 * 8);
}

BOOST_AUTO_TEST_CASE(a_letter_is_a_token_for_the_made_up_tokenizer) {
  const auto tokens =
      runtime::tokenizer::from_json(synthetic_tokenizer(300), "made up");
  BOOST_TEST(tokens->vocab_size() == 300);
  const auto text = prompt_text(64, 5);
  const auto ids = tokens->encode(text);
  BOOST_TEST(ids.size() == 64u);
  BOOST_TEST(tokens->decode(ids, false) == text);
  BOOST_TEST(prompt_text(64, 5) != prompt_text(64, 6));
}

BOOST_AUTO_TEST_CASE(temporary_directories_go_away) {
  std::string path;
  {
    const temporary_directory directory;
    path = directory.path();
    BOOST_TEST(std::filesystem::is_directory(path));
  }
  BOOST_TEST(!std::filesystem::exists(path));
}

BOOST_AUTO_TEST_CASE(usage_grows_with_work) {
  const auto before = usage_of(0);
  volatile double sum = 0;
  const auto start = steady_clock().now();
  while (steady_clock().now() - start < std::chrono::milliseconds(50))
    sum = sum + 1;
  const auto after = usage_of(0);
  BOOST_TEST(after.cpu_nanoseconds > before.cpu_nanoseconds);
  BOOST_TEST(after.threads >= 1);
  // Beyond the largest process number there is.
  BOOST_CHECK_THROW(usage_of(std::int64_t{1} << 40), error);
}

BOOST_AUTO_TEST_SUITE_END()
