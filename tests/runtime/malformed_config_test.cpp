// config.json and generation_config.json as an attacker would write them: what
// is of the wrong type, out of range or at odds with the tensors is refused
// with the file, the field and the reason, at once.
#include "runtime/generation/generation_config.hpp"
#include "runtime/models/model_source.hpp"
#include "runtime/shard/model_plan.hpp"
#include "tests/runtime/copied_model.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// One field of a golden's config.json replaced, and what must be said.
struct spoilt {
  const char *golden, *field, *value, *reason;
};
std::ostream &operator<<(std::ostream &out, const spoilt &s) {
  return out << s.golden << " " << s.field << " = " << s.value;
}

const std::vector<spoilt> spoilt_fields = {
    {"llama", "model_type", "7", "expected a string, found a number"},
    {"llama", "model_type", "\"mamba\"", "unknown model family 'mamba'"},
    {"llama", "model_type", "null", "required but missing"},
    {"llama", "hidden_size", "\"64\"", "expected an integer, found a string"},
    {"llama", "hidden_size", "64.5", "expected an integer, found a number"},
    {"llama", "hidden_size", "[64]", "expected an integer, found an array"},
    {"llama", "hidden_size", "{}", "expected an integer, found an object"},
    {"llama", "hidden_size", "true", "expected an integer, found a boolean"},
    {"llama", "hidden_size", "null", "required but missing"},
    {"llama", "hidden_size", "0", "0 is out of range; accepted: 1 to 262144"},
    {"llama", "hidden_size", "-64", "-64 is out of range"},
    {"llama", "hidden_size", "9223372036854775807", "is out of range"},
    {"llama", "hidden_size", "18446744073709551615", "expected an integer"},
    {"llama", "num_hidden_layers", "1000000000", "accepted: 1 to 4096"},
    {"llama", "num_hidden_layers", "0", "0 is out of range"},
    {"llama", "num_attention_heads", "0", "0 is out of range"},
    {"llama", "num_attention_heads", "2147483648", "is out of range"},
    {"llama", "num_key_value_heads", "0", "0 is out of range"},
    {"llama", "num_key_value_heads", "3", "3 KV heads do not divide 8"},
    {"llama", "num_key_value_heads", "16", "16 KV heads do not divide 8"},
    {"llama", "head_dim", "0", "0 is out of range; accepted: 1 to 512"},
    {"llama", "head_dim", "100000", "accepted: 1 to 512"},
    {"llama", "intermediate_size", "-1", "-1 is out of range"},
    {"llama", "intermediate_size", "4611686018427387904", "is out of range"},
    {"llama", "vocab_size", "0", "0 is out of range"},
    {"llama", "vocab_size", "1000000000000", "is out of range"},
    {"llama", "max_position_embeddings", "-5", "-5 is out of range"},
    {"llama", "max_position_embeddings", "1000000000000", "is out of range"},
    {"llama", "rms_norm_eps", "-1e-5", "is out of range; accepted: 0 to 1"},
    {"llama", "rms_norm_eps", "1e300", "is out of range; accepted: 0 to 1"},
    {"llama", "rms_norm_eps", "\"1e-5\"", "expected a number"},
    {"llama", "hidden_act", "3", "expected a string"},
    {"llama", "hidden_act", "\"mish\"", "'mish' is not supported; accepted"},
    {"llama", "attention_bias", "\"no\"", "expected a boolean"},
    {"llama", "tie_word_embeddings", "1", "expected a boolean"},
    {"llama", "torch_dtype", "\"int4\"", "'int4' is not supported; accepted"},
    {"llama", "eos_token_id", "4294967298", "is out of range"},
    {"llama", "eos_token_id", "[2, -9999999999]", "is out of range"},
    {"llama", "eos_token_id", "\"2\"", "expected an integer"},
    {"llama", "rope_theta", "0", "0 is out of range"},
    {"llama", "rope_theta", "-1", "-1 is out of range"},
    {"qwen3", "rope_theta", "1e-45", "gives frequencies that are no numbers"},
    {"llama", "rope_theta", "1e300", "is out of range"},
    {"llama", "rope_theta", "\"x\"", "expected a number"},
    {"llama", "partial_rotary_factor", "0.5", "0.5 is not supported"},
    {"llama", "quantization_config", R"({"quant_method": "gptq"})",
     "'gptq' is not supported; accepted: none"},
    {"llama", "is_presharded_checkpoint", "1", "expected a boolean"},
    {"llama", "rope_scaling", "5", "expected an object"},
    {"llama", "rope_scaling", "{}", "rope_type: leaving it out"},
    {"llama", "rope_scaling", R"({"factor": 2})", "rope_type: leaving it out"},
    {"llama", "rope_scaling", R"({"rope_type": "linear"})",
     "rope_scaling.factor: required but missing"},
    {"llama", "rope_scaling", R"({"type": "linear", "factor": 1e300})",
     "rope_scaling.factor: 1e+300 is out of range"},
    {"llama", "rope_scaling", R"({"type": "linear", "factor": 1e-300})",
     "rope_scaling.factor: 1e-300 is out of range"},
    {"llama", "rope_scaling", R"({"type": "linear", "factor": 1e-45})",
     "gives frequencies that are no numbers"},
    {"llama", "rope_scaling", R"({"rope_type": "dynamic", "factor": -2})",
     "rope_scaling.factor: -2 is out of range"},
    {"llama", "rope_scaling",
     R"({"rope_type": "yarn", "factor": 2,
         "original_max_position_embeddings": 1000000000000})",
     "rope_scaling.original_max_position_embeddings: 1000000000000 is out of"},
    {"llama", "rope_scaling",
     R"({"rope_type": "yarn", "factor": 2, "mscale": -1e300,
         "mscale_all_dim": 1})",
     "gives frequencies that are no numbers"},
    {"llama", "rope_parameters", R"({"full_attention": {"rope_type": "yarn"}})",
     "rope_type: leaving it out"},
    {"mistral", "sliding_window", "0", "0 is out of range"},
    {"mistral", "sliding_window", "\"24\"", "expected an integer"},
    {"mixtral", "num_attention_heads", "6", "6 heads do not divide the hidden"},
    {"mixtral", "num_attention_heads", "128", "128 heads do not divide"},
    {"mixtral", "num_local_experts", "0", "0 is out of range"},
    {"mixtral", "num_local_experts", "1000000000", "accepted: 1 to 65536"},
    {"mixtral", "num_experts_per_tok", "5", "5 is out of range; accepted: 1 "},
    {"gpt2", "n_layer", "1000000000", "accepted: 1 to 4096"},
    {"gpt2", "n_head", "0", "0 is out of range"},
    {"gpt2", "n_head", "5", "5 heads do not divide the hidden size 64"},
    {"gpt2", "n_inner", "-1", "-1 is out of range"},
    {"gpt2", "n_positions", "0", "0 is out of range"},
    {"gpt2", "layer_norm_epsilon", "2", "2 is out of range"},
    {"gptj", "rotary_dim", "3", "3 is not an even number"},
    {"gptj", "rotary_dim", "1000000000", "accepted: 1 to 512"},
    {"gpt_neox", "rotary_pct", "1e300", "is no even number of dimensions"},
    {"gpt_neox", "rotary_pct", "-0.25", "is no even number of dimensions"},
    {"gpt_neox", "rotary_emb_base", "0", "0 is out of range"},
    {"gpt_neox", "layer_norm_eps", "-1", "-1 is out of range"},
    {"gpt_bigcode", "multi_query", "\"yes\"", "expected a boolean"},
    {"opt", "ffn_dim", "0", "0 is out of range"},
    {"opt", "word_embed_proj_dim", "-1", "-1 is out of range"},
    {"opt", "activation_function", "null", ""}, // relu, the default
    {"bloom", "n_head", "1000000000000", "is out of range"},
    {"bloom", "seq_length", "0", "0 is out of range"},
    {"bloom", "hidden_size", "65", "4 heads do not divide the hidden size 65"},
};

/// Sizes that are possible, and not those of the tensors.
const std::vector<spoilt> other_sizes = {
    {"llama", "vocab_size", "321",
     "lm_head.weight (model.safetensors) is [320, 64], expected [321, 64]"},
    {"llama", "num_hidden_layers", "3",
     "missing (9): model.layers.2.input_layernorm.weight"},
    {"llama", "num_hidden_layers", "1",
     "unexpected (9): model.layers.1.input_layernorm.weight "},
    {"llama", "hidden_size", "128", "mis-shaped"},
    {"llama", "head_dim", "16", "is [64, 64], expected [128, 64]"},
    {"llama", "attention_bias", "true", "self_attn.q_proj.bias"},
    {"llama", "num_hidden_layers", "4096", "more"},
    {"gpt2", "n_positions", "256", "is [128, 64], expected [256, 64]"},
    {"opt", "max_position_embeddings", "64", "is [130, 64], expected [66, 64]"},
    {"mixtral", "num_local_experts", "65536", "mis-shaped"},
};

std::string open_error(const std::string &directory) {
  return error_text([&] { runtime::model_source::open(directory); });
}

const std::vector<std::string> hostile_values = {"\"x\"",
                                                 "-1",
                                                 "0",
                                                 "1.5",
                                                 "-9223372036854775808",
                                                 "9223372036854775807",
                                                 "1e300",
                                                 "-1e-300",
                                                 "true",
                                                 "[]",
                                                 "[[[]]]",
                                                 "{}",
                                                 "null"};

} // namespace

BOOST_AUTO_TEST_SUITE(malformed_config)

BOOST_DATA_TEST_CASE(a_spoilt_field_is_named,
                     boost::unit_test::data::make(spoilt_fields), s) {
  copied_model model(s.golden);
  model.set({{s.field, s.value}});
  const auto text = open_error(model.path());
  if (*s.reason == '\0') {
    BOOST_TEST(text == "no error");
    return;
  }
  BOOST_TEST(contains(text, model / "config.json: "), text);
  // A family's check may concern two fields and name the other one.
  BOOST_TEST((contains(text, s.field) ||
              contains(text, "num_key_value_heads") ||
              contains(text, "n_head")),
             text);
  BOOST_TEST(contains(text, s.reason), text);
}

BOOST_DATA_TEST_CASE(sizes_that_are_not_those_of_the_tensors,
                     boost::unit_test::data::make(other_sizes), s) {
  copied_model model(s.golden);
  model.set({{s.field, s.value}});
  const auto text = open_error(model.path());
  BOOST_TEST(text.starts_with("corrupt_data: " + model.path() + ": "), text);
  BOOST_TEST(contains(text, s.reason), text.substr(0, 2000));
  BOOST_TEST(text.size() < 400'000u);
}

// Whatever stands in whatever field: refused by a message that names the
// directory, or a model of a size that can be planned.
BOOST_DATA_TEST_CASE(no_value_of_any_field_does_harm,
                     boost::unit_test::data::make(std::vector<std::string>{
                         "llama", "llama-rope-yarn", "mistral", "mixtral",
                         "qwen2", "qwen3", "gpt2", "gptj", "gpt_neox",
                         "gpt_bigcode", "opt", "bloom"}),
                     name) {
  copied_model model(name);
  const auto config = json::document::load(model / "config.json");
  for (const auto &[field, present] : config.root().members())
    for (const auto &value : hostile_values) {
      model.set({{field, value}});
      const auto text = error_text([&] {
        const auto source = runtime::model_source::open(model.path());
        runtime::engine_config start;
        start.model.model_id = model.path();
        runtime::plan_model(source->spec(), start);
      });
      BOOST_TEST((text == "no error" || contains(text, model.path())),
                 field << " = " << value << ": " << text);
      BOOST_TEST(!text.starts_with("internal"), text);
    }
}

BOOST_AUTO_TEST_CASE(directories_that_cannot_be_are_refused) {
  for (const auto &directory :
       {std::string(), std::string("/nowhere"), std::string(10'000, 'x'),
        fixture("models/llama/config.json"), std::string("\1\xff")})
    BOOST_TEST(open_error(directory).starts_with("not_found: "), directory);
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_refused) {
  for (const auto &[text, reason] :
       {std::pair<std::string, std::string>{"", "not valid JSON"},
        {"{", "not valid JSON"},
        {R"({"rms_norm_eps": NaN})", "not valid JSON"},
        {R"({"rms_norm_eps": Infinity})", "not valid JSON"},
        {R"({"rms_norm_eps": 1e999})", "not valid JSON"},
        {"\xff\xfe{}", "not valid JSON"},
        {std::string(100'000, '['), "not valid JSON"},
        {"[]", "expected an object"},
        {"7", "expected an object"}}) {
    copied_model model("llama");
    model.write("config.json", text);
    const auto found = open_error(model.path());
    BOOST_TEST(contains(found, model / "config.json: "), found);
    BOOST_TEST(contains(found, reason), found);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_refused_and_not_waited_for) {
  const auto in_its_place = [](auto make) {
    copied_model model("llama");
    const auto path = model / "config.json";
    std::filesystem::remove(path);
    make(path);
    const auto text = open_error(model.path());
    BOOST_TEST(contains(text, path + ": "), text);
    return text;
  };
  BOOST_TEST(contains(in_its_place([](const std::string &path) {
                        std::filesystem::create_directory(path);
                      }),
                      "is a directory, expected a file"));
  BOOST_TEST(contains(in_its_place([](const std::string &path) {
                        BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
                      }),
                      "is not a regular file"));
  BOOST_TEST(contains(in_its_place([](const std::string &path) {
                        std::filesystem::create_symlink("/dev/zero", path);
                      }),
                      "is not a regular file"));
  BOOST_TEST(contains(in_its_place([](const std::string &) {}), "not_found"));
  BOOST_TEST(contains(in_its_place([](const std::string &path) {
                        std::ofstream(path) << "{";
                        std::filesystem::resize_file(path, 1ull << 40);
                      }),
                      "bytes long, more than"));
}

BOOST_AUTO_TEST_CASE(generation_configs_are_checked) {
  for (const auto &[field, value] :
       {std::pair<std::string, std::string>{"eos_token_id", "4294967298"},
        {"eos_token_id", "[1, \"2\"]"},
        {"pad_token_id", "-3000000000"},
        {"max_length", "-1"},
        {"max_length", "9223372036854775807"},
        {"max_new_tokens", "-7"},
        {"min_length", "-9223372036854775808"},
        {"min_new_tokens", "-1"},
        {"num_return_sequences", "-1"},
        {"temperature", "1e300"},
        {"temperature", "\"hot\""},
        {"top_k", "5000000000"},
        {"top_p", "[]"},
        {"do_sample", "1"},
        {"repetition_penalty", "-1e300"},
        {"bad_words_ids", "[7]"},
        {"bad_words_ids", "{}"},
        {"suppress_tokens", "[1.5]"},
        {"num_beams", "\"4\""},
        {"forced_bos_token_id", "1e30"}}) {
    copied_model model("llama");
    model.write("generation_config.json", "{\"" + field + "\": " + value + "}");
    const auto text =
        error_text([&] { runtime::read_generation_config(model.path()); });
    BOOST_TEST(contains(text, model / "generation_config.json: " + field),
               field << " = " << value << ": " << text);
  }
  copied_model model("llama");
  model.write("generation_config.json", R"({"eos_token_id": 4294967298})");
  BOOST_TEST(contains(open_error(model.path()),
                      "generation_config.json: eos_token_id: 4294967298 is out "
                      "of range; accepted: 32 bits"));
}

BOOST_AUTO_TEST_SUITE_END()
