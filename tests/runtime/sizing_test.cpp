// The sizes that transformers-neuronx's guides give for models and instances,
// from the models' published configurations.
#include "runtime/models/family.hpp"
#include "runtime/shard/sizing.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;

namespace {

hlo::decoder_spec spec_of(const std::string &config) {
  const auto document = json::document::parse(config, "config.json");
  auto spec = runtime::family_of(document.root()).spec_of(document.root());
  spec.position_limit = spec.n_positions;
  return spec;
}

hlo::decoder_spec opt(int layers, int hidden, int heads) {
  const auto number = [](int n) { return std::to_string(n); };
  return spec_of(R"({"model_type": "opt", "torch_dtype": "float16",
    "vocab_size": 50272, "max_position_embeddings": 2048, "ffn_dim": )" +
                 number(4 * hidden) + R"(, "num_hidden_layers": )" +
                 number(layers) + R"(, "hidden_size": )" + number(hidden) +
                 R"(, "num_attention_heads": )" + number(heads) + "}");
}

std::vector<runtime::degree_size> sizes(const hlo::decoder_spec &spec,
                                        const std::string &instance,
                                        runtime::weight_dtype dtype) {
  runtime::engine_config config;
  config.model.dtype = dtype;
  config.graph.instance = instance;
  config.scheduling.max_rolling_batch_size = 1;
  return sizes_of(spec, config);
}

const runtime::degree_size &at(const std::vector<runtime::degree_size> &all,
                               std::int64_t degree) {
  for (const auto &size : all)
    if (size.tp_degree == degree)
      return size;
  throw std::out_of_range("no such degree");
}

double gigabytes(const runtime::degree_size &s) {
  return double(s.bytes()) * double(s.tp_degree) / 1e9;
}

void check_within_15_percent(double got, double want) {
  BOOST_TEST(got > want * 0.85, got << " GB instead of " << want);
  BOOST_TEST(got < want * 1.15, got << " GB instead of " << want);
}

} // namespace

BOOST_AUTO_TEST_SUITE(sizing)

BOOST_AUTO_TEST_CASE(opt_13b_fits_the_two_cores_of_a_trn1_2xlarge) {
  const auto all =
      sizes(opt(40, 5120, 40), "trn1.2xlarge", runtime::weight_dtype::f16);
  check_within_15_percent(gigabytes(at(all, 2)), 29);
  BOOST_TEST(!at(all, 1).fits());
  BOOST_TEST(at(all, 2).fits());
}

BOOST_AUTO_TEST_CASE(opt_30b_needs_eight_cores_of_a_trn1_32xlarge) {
  const auto spec = opt(48, 7168, 56);
  BOOST_TEST(
      !at(sizes(spec, "trn1.2xlarge", runtime::weight_dtype::f16), 2).fits());
  const auto all = sizes(spec, "trn1.32xlarge", runtime::weight_dtype::f16);
  check_within_15_percent(gigabytes(at(all, 8)), 66);
  BOOST_TEST(!at(all, 2).fits());
  BOOST_TEST(at(all, 8).fits());
  BOOST_TEST(at(all, 8).padded_heads == 0);
  BOOST_TEST(at(all, 32).padded_heads == 8);
}

BOOST_AUTO_TEST_CASE(gpt2_xl_takes_one_core_unless_padded) {
  const auto all =
      sizes(spec_of(R"({"model_type": "gpt2", "n_layer": 48, "n_embd": 1600,
                  "n_head": 25, "vocab_size": 50257, "n_positions": 1024})"),
            "inf2", runtime::weight_dtype::bf16);
  check_within_15_percent(gigabytes(at(all, 1)), 4);
  for (const auto &size : all)
    BOOST_TEST((size.padded_heads == 0) == (size.tp_degree == 1));
}

BOOST_AUTO_TEST_CASE(a_degree_that_cannot_be_planned_says_why) {
  runtime::engine_config config;
  config.graph.instance = "trn1.32xlarge";
  config.graph.shard_over_sequence = true;
  // Enough for a sequence where 4 ranks share each of 8 heads, not for one
  // rank that has it all.
  config.graph.kv_blocks = 16;
  config.graph.n_positions = 2048;
  const auto spec = spec_of(R"({"model_type": "llama", "hidden_size": 2048,
    "num_hidden_layers": 2, "num_attention_heads": 32, "vocab_size": 512,
    "num_key_value_heads": 8, "intermediate_size": 4096,
    "max_position_embeddings": 2048})");
  const auto all = sizes_of(spec, config);
  BOOST_TEST(at(all, 32).possible());
  BOOST_TEST(!at(all, 8).possible());
  BOOST_TEST(!at(all, 8).fits());
  BOOST_TEST(at(all, 8).refusal.find("kv_blocks") != std::string::npos,
             at(all, 8).refusal);
}

BOOST_AUTO_TEST_SUITE_END()
