#include "runtime/checkpoint/checkpoint.hpp"
#include "runtime/checkpoint/convert.hpp"
#include "runtime/checkpoint/synthetic.hpp"
#include "runtime/checkpoint/tensor_check.hpp"
#include "runtime/json/reader.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

std::vector<float> floats(const checkpoint &weights, const char *name) {
  const auto tensor = weights.at(name);
  std::vector<float> out(tensor.element_count());
  copy_as_float(tensor, 0, out);
  return out;
}

/// Fails unless both checkpoints have the same tensors of the same shapes.
void same_tensors(const std::string &made, const std::string &golden) {
  const auto wanted = checkpoint::open(golden);
  std::vector<expected_tensor> expected;
  for (const auto &name : wanted->names())
    expected.push_back({name, wanted->at(name).dims});
  check_tensors(*checkpoint::open(made), expected);
}

} // namespace

BOOST_AUTO_TEST_SUITE(synthetic)

BOOST_AUTO_TEST_CASE(llama_is_shaped_like_the_golden_model) {
  const scratch_directory dir;
  synthetic_spec spec;
  spec.heads = 8;
  spec.kv_heads = 2;
  write_synthetic_checkpoint(dir.path(), spec);
  same_tensors(dir.path(), fixture("models/llama"));
  BOOST_TEST(parameter_count(spec) * 4 ==
             checkpoint::open(dir.path())->total_bytes());
  const auto made = json::document::load(dir / "config.json");
  const auto golden = json::document::load(fixture("models/llama/config.json"));
  for (const char *key :
       {"architectures", "model_type", "hidden_size", "intermediate_size",
        "num_attention_heads", "num_key_value_heads", "num_hidden_layers",
        "vocab_size", "torch_dtype", "rms_norm_eps", "tie_word_embeddings",
        "bos_token_id", "eos_token_id", "hidden_act", "rope_theta"})
    BOOST_TEST(made.root().at(key).dump() == golden.root().at(key).dump());
}

BOOST_AUTO_TEST_CASE(mixtral_is_shaped_like_the_golden_model) {
  const scratch_directory dir;
  synthetic_spec spec;
  spec.family = synthetic_family::mixtral;
  spec.heads = 8;
  spec.kv_heads = 2;
  spec.ffn = 80;
  spec.experts = 4;
  spec.positions = 256;
  write_synthetic_checkpoint(dir.path(), spec);
  same_tensors(dir.path(), fixture("models/mixtral"));
  const auto made = json::document::load(dir / "config.json");
  const auto golden =
      json::document::load(fixture("models/mixtral/config.json"));
  for (const char *key :
       {"architectures", "model_type", "hidden_size", "intermediate_size",
        "num_attention_heads", "num_key_value_heads", "num_hidden_layers",
        "num_local_experts", "num_experts_per_tok", "max_position_embeddings",
        "vocab_size", "bos_token_id", "eos_token_id", "hidden_act"})
    BOOST_TEST(made.root().at(key).dump() == golden.root().at(key).dump());
}

BOOST_AUTO_TEST_CASE(gpt2_is_shaped_like_the_golden_model) {
  const scratch_directory dir;
  synthetic_spec spec;
  spec.family = synthetic_family::gpt2;
  spec.ffn = 256;
  spec.positions = 128;
  spec.tied = true;
  write_synthetic_checkpoint(dir.path(), spec);
  same_tensors(dir.path(), fixture("models/gpt2"));
  const auto made = json::document::load(dir / "config.json");
  const auto golden = json::document::load(fixture("models/gpt2/config.json"));
  for (const char *key :
       {"architectures", "model_type", "n_embd", "n_head", "n_layer",
        "n_positions", "vocab_size", "activation_function", "eos_token_id"})
    BOOST_TEST(made.root().at(key).dump() == golden.root().at(key).dump());
}

BOOST_AUTO_TEST_CASE(weights_are_normal_and_norms_are_one) {
  for (const auto dtype :
       {tensor_dtype::f32, tensor_dtype::f16, tensor_dtype::bf16}) {
    const scratch_directory dir;
    synthetic_spec spec;
    spec.dtype = dtype;
    spec.vocab = 8192; // half a million elements to count
    write_synthetic_checkpoint(dir.path(), spec);
    const auto weights = checkpoint::open(dir.path());
    double sum = 0, squares = 0, within = 0;
    const auto values = floats(*weights, "lm_head.weight");
    for (const float v : values) {
      sum += v;
      squares += double(v) * v;
      within += std::abs(v) < 0.02f;
    }
    const double n = double(values.size());
    BOOST_TEST(std::abs(sum / n) < 0.0002);
    BOOST_TEST(std::abs(std::sqrt(squares / n) - 0.02) < 0.0002);
    BOOST_TEST(std::abs(within / n - 0.6827) < 0.005);
    for (const float v : floats(*weights, "model.norm.weight"))
      BOOST_TEST(v == 1.0f);
    BOOST_TEST(floats(*weights, "model.layers.0.mlp.up_proj.weight") !=
               floats(*weights, "model.layers.1.mlp.up_proj.weight"));
  }
}

BOOST_AUTO_TEST_CASE(the_seed_decides_the_bytes) {
  const scratch_directory dir;
  synthetic_spec spec;
  spec.vocab = 40000; // several pieces
  const auto embedding = [&](const char *name, std::uint64_t seed) {
    spec.seed = seed;
    write_synthetic_checkpoint(dir / name, spec);
    return floats(*checkpoint::open(dir / name), "model.embed_tokens.weight");
  };
  const auto first = embedding("a", 1);
  BOOST_TEST((first == embedding("b", 1)));
  BOOST_TEST((first != embedding("c", 2)));
}

BOOST_AUTO_TEST_CASE(impossible_shapes_are_refused_by_field) {
  const auto refusal = [](auto change) {
    synthetic_spec spec;
    change(spec);
    return error_text([&] { parameter_count(spec); });
  };
  BOOST_TEST(contains(refusal([](auto &s) { s.heads = 7; }),
                      "heads: must divide hidden (64)"));
  BOOST_TEST(contains(refusal([](auto &s) { s.kv_heads = 3; }),
                      "kv_heads: must divide heads (4)"));
  BOOST_TEST(contains(refusal([](auto &s) { s.layers = 0; }),
                      "layers: must be from 1 to"));
  BOOST_TEST(contains(refusal([](auto &s) { s.vocab = 1ll << 60; }), "vocab"));
  BOOST_TEST(contains(refusal([](auto &s) { s.dtype = tensor_dtype::i8; }),
                      "dtype: accepted: F32, F16, BF16"));
  BOOST_TEST(contains(refusal([](auto &s) { s.experts = 0; }),
                      "experts: must be from 1 to"));
  BOOST_TEST(contains(refusal([](auto &s) { s.experts_per_token = 9; }),
                      "experts_per_token: must be at most experts (8)"));
  BOOST_TEST(contains(refusal([](auto &s) {
                        s.family = synthetic_family::gpt2;
                        s.kv_heads = 2;
                      }),
                      "kv_heads: gpt2 has as many"));
}

BOOST_AUTO_TEST_SUITE_END()
