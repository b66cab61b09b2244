#include "runtime/shard/loaded_model.hpp"
#include "runtime/shard/sizing.hpp"
#include "runtime/sharding/presharded.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"
#include "tests/runtime/shard_group.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

const std::vector<std::string> models = {
    "llama",       "llama3",   "mistral-bf16",  "gpt2",  "gpt_neox",
    "gpt_bigcode", "gptj-f16", "opt-post-norm", "bloom", "qwen3",
};

void save(const std::string &model, std::int64_t degree,
          const std::string &to) {
  const auto source = model_source::open(fixture("models/" + model));
  save_presharded(*source, hlo::plain_sharding(source->spec(), degree), to);
}

std::vector<float> logits_of(const std::string &directory, std::int64_t degree,
                             const hlo::graph_form &form = {}) {
  group_settings s;
  s.tp_degree = degree;
  s.form = form;
  shard_group group(directory, s);
  return group.feed(1, 0, {{3, 1, 4, 1, 5, 9, 2, 6}});
}

} // namespace

BOOST_AUTO_TEST_SUITE(presharded)

BOOST_DATA_TEST_CASE(loads_with_identical_bits,
                     boost::unit_test::data::make(models) *
                         boost::unit_test::data::make({1, 2, 4}),
                     model, degree) {
  const scratch_directory to;
  save(model, degree, to.path());
  const auto want = logits_of(fixture("models/" + model), degree);
  BOOST_TEST((logits_of(to.path(), degree) == want));
  hlo::graph_form other;
  other.fuse_qkv = true;
  other.on_device_embedding = false;
  BOOST_TEST((logits_of(to.path(), degree, other) == want));
}

BOOST_AUTO_TEST_CASE(keeps_strategies_padding_and_experts) {
  const auto check = [](const std::string &model, const group_settings &s) {
    const auto from = fixture("models/" + model);
    const std::vector<std::int32_t> ids{3, 1, 4, 1, 5, 9, 2, 6};
    shard_group whole(from, s);
    const scratch_directory to;
    save_presharded(*model_source::open(from), whole.plan().sharding,
                    to.path());
    shard_group cut(to.path(), s);
    BOOST_TEST((whole.feed(1, 0, ids) == cut.feed(1, 0, ids)), model);
  };
  group_settings s;
  s.tp_degree = 2;
  s.experts = hlo::expert_sharding::distributed;
  check("mixtral", s);
  s.experts = hlo::expert_sharding::split;
  check("mixtral", s);
  s.tp_degree = 3;
  s.pad_heads = true;
  check("llama", s);
  s.tp_degree = 4;
  s.strategy = hlo::group_query::all_gather_heads;
  check("llama", s);
  s.strategy = hlo::group_query::replicated_heads;
  check("llama", s);
}

BOOST_AUTO_TEST_CASE(another_strategy_is_refused_naming_both) {
  const auto from = fixture("models/llama");
  group_settings s;
  s.tp_degree = 4;
  s.strategy = hlo::group_query::replicated_heads;
  const scratch_directory to;
  save_presharded(*model_source::open(from),
                  shard_group(from, s).plan().sharding, to.path());
  s.strategy = hlo::group_query::all_gather_heads;
  BOOST_TEST(error_text([&] { shard_group(to.path(), s); }) ==
             "invalid_argument: " + to.path() +
                 ": group_query_attention: all-gather-heads in this start, "
                 "but the checkpoint is cut for replicated-heads");
}

BOOST_AUTO_TEST_CASE(lies_in_the_config_are_refused) {
  const scratch_directory to;
  save("llama", 2, to.path());
  std::ifstream file(to / "config.json");
  const std::string good{std::istreambuf_iterator<char>(file), {}};
  const auto refusal = [&](const std::string &from, const std::string &text) {
    auto bad = good;
    const auto at = bad.find(from);
    BOOST_REQUIRE(at != bad.npos);
    to.write("config.json", bad.replace(at, from.size(), text));
    return error_text([&] { model_source::open(to.path()); });
  };
  const std::string degree = R"("tensor_parallel_degree": "2")";
  for (const char *text : {"\"0\"", "\"-1\"", "\"two\"", "2", "\"\""})
    BOOST_TEST(contains(refusal(degree, "\"tensor_parallel_degree\": " +
                                            std::string(text)),
                        "presharded.tensor_parallel_degree"),
               text);
  // More ranks than there are parts, and a degree that no model has.
  BOOST_TEST(
      contains(refusal(degree, R"("tensor_parallel_degree": "4")"), "missing"));
  BOOST_TEST(contains(refusal(degree, R"("tensor_parallel_degree": "7")"),
                      "invalid_argument"));
  BOOST_TEST(contains(refusal("shard-over-heads", "auto"),
                      "presharded.group_query_attention"));
}

BOOST_AUTO_TEST_CASE(files_and_keys_are_as_the_format_says) {
  const scratch_directory to;
  save("llama", 2, to.path());
  const auto layer = safetensors_file::open(to / "decoder_layer_1.safetensors");
  for (const char *key :
       {"attention.query.weight*0", "attention.query.weight*1",
        "mlp.down.weight*1", "attention.norm.weight*0"})
    BOOST_TEST(layer.find(key), key);
  BOOST_TEST(!layer.find("attention.norm.weight*1")); // all ranks' own
  const auto head = safetensors_file::open(to / "DecoderLMHead.safetensors");
  BOOST_TEST(head.find("head.weight*1"));
  BOOST_TEST(head.find("embedding.tokens*0"));
  const auto config = json::document::load(to / "config.json");
  BOOST_TEST(config.root().at("is_presharded_checkpoint").as_bool());
  BOOST_TEST(config.root().at("hidden_size").as_int() == 64);
}

BOOST_AUTO_TEST_CASE(another_degree_is_refused_naming_both) {
  const scratch_directory to;
  save("llama", 2, to.path());
  BOOST_TEST(error_text([&] { logits_of(to.path(), 4); }) ==
             "invalid_argument: " + to.path() +
                 ": tensor_parallel_degree: 4 in this start, but the "
                 "checkpoint is cut for 2");
}

BOOST_AUTO_TEST_CASE(int8_weights_want_whole_rows) {
  const scratch_directory to;
  save("llama", 2, to.path());
  engine_config config;
  config.model.model_id = to.path();
  config.graph.tensor_parallel_degree = 2;
  config.graph.quantize = hlo::quantisation::static_int8;
  BOOST_TEST(error_text([&] { load_model(config); }) ==
             "unsupported: " + to.path() +
                 ": quantize: static_int8 of a presharded checkpoint; "
                 "accepted: none, or the whole checkpoint");
  config.graph.quantize = hlo::quantisation::int8_dynamic;
  BOOST_TEST(contains(error_text([&] { load_model(config); }),
                      "quantize: int8_dynamic of a presharded checkpoint"));
  // So do a plan and what the configuration alone tells.
  BOOST_TEST(contains(
      error_text([&] { plan_model(described_model(config.model), config); }),
      "quantize: int8_dynamic of a presharded checkpoint"));
  BOOST_TEST(
      !sizes_of(described_model(config.model), config).front().possible());
  config.graph.quantize = hlo::quantisation::none;
  config.graph.kv_cache_quant = hlo::cache_quantisation::s8;
  BOOST_TEST(error_text([&] { load_model(config); }) == "no error");
}

BOOST_AUTO_TEST_CASE(a_missing_layer_is_named) {
  const scratch_directory to;
  save("llama", 2, to.path());
  std::filesystem::remove(to / "decoder_layer_1.safetensors");
  BOOST_TEST(contains(error_text([&] { model_source::open(to.path()); }),
                      "layers.1.attention.query.weight*1"));
  std::filesystem::remove(to / "DecoderLMHead.safetensors");
  BOOST_TEST(contains(error_text([&] { model_source::open(to.path()); }),
                      "DecoderLMHead.safetensors is missing"));
}

BOOST_AUTO_TEST_CASE(a_degree_the_model_cannot_have_is_refused) {
  const scratch_directory to;
  BOOST_TEST(contains(error_text([&] { save("llama", 3, to.path()); }),
                      "invalid_argument: llama: tensor_parallel_degree: 3"));
}

BOOST_AUTO_TEST_SUITE_END()
