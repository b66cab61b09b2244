// Configs of the families: what they mean, and what is refused by name.
#include "hlo/support/error.hpp"
#include "runtime/models/family.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ganglion;

namespace {

const std::string llama_fields =
    R"("num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 8,
       "num_key_value_heads": 2, "intermediate_size": 160, "vocab_size": 320)";
const std::string mixtral_fields =
    llama_fields + R"(, "num_local_experts": 4, "rope_theta": 1e6)";
const std::string gpt_fields =
    R"("n_layer": 2, "n_embd": 96, "vocab_size": 320)";
const std::string bloom_fields =
    R"("n_layer": 2, "hidden_size": 96, "n_head": 12, "vocab_size": 320)";
const std::string opt_fields =
    R"("num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
       "ffn_dim": 256, "vocab_size": 320)";

hlo::decoder_spec spec_of(const std::string &type, const std::string &fields,
                          const std::string &more = "") {
  std::string text = R"({"model_type": ")" + type + R"(", )" + fields;
  if (!more.empty())
    text += ", " + more;
  const auto config = json::document::parse(text + "}", "config.json");
  return runtime::family_of(config.root()).spec_of(config.root());
}

struct refusal {
  std::string type, fields, more, field;
};
std::ostream &operator<<(std::ostream &out, const refusal &r) {
  return out << r.type << " " << r.more;
}

const std::vector<refusal> refusals = {
    {"llama", llama_fields,
     R"("rope_scaling": {"rope_type": "longrope", "factor": 2})",
     "rope_scaling.rope_type"},
    {"llama", llama_fields,
     R"("max_position_embeddings": 64, "rope_scaling": {"rope_type": "yarn",
     "factor": -2})",
     "rope_scaling.factor"},
    {"mistral", llama_fields, R"("sliding_window": 0)", "sliding_window"},
    {"mistral", llama_fields, R"("hidden_act": "mish")", "hidden_act"},
    {"mixtral", llama_fields, "", "rope_theta"},
    {"mixtral", mixtral_fields, R"("num_experts_per_tok": 5)",
     "num_experts_per_tok"},
    {"mixtral", mixtral_fields, R"("num_experts_per_tok": 0)",
     "num_experts_per_tok"},
    {"mixtral", mixtral_fields, R"("norm_topk_prob": false)", "norm_topk_prob"},
    {"mixtral", mixtral_fields, R"("hidden_act": "mish")", "hidden_act"},
    {"qwen2", llama_fields, R"("use_sliding_window": true)",
     "use_sliding_window"},
    {"qwen3", llama_fields, "", "head_dim"},
    {"gptj", gpt_fields, R"("n_head": 7, "rotary_dim": 4)", "n_head"},
    {"gptj", gpt_fields, R"("n_head": 12, "rotary_dim": 3)", "rotary_dim"},
    {"gptj", gpt_fields, R"("n_head": 12, "rotary_dim": 10)", "rotary_dim"},
    {"gpt_bigcode", gpt_fields, R"("n_head": 12, "scale_attn_weights": false)",
     "scale_attn_weights"},
    {"gpt_neox", llama_fields, R"("rotary_pct": 0.1)", "rotary_pct"},
    {"gpt_neox", llama_fields, R"("rotary_pct": 1.5)", "rotary_pct"},
    {"opt", opt_fields, R"("layer_norm_elementwise_affine": false)",
     "layer_norm_elementwise_affine"},
    {"mamba", llama_fields, "", "model_type"},
};

} // namespace

BOOST_AUTO_TEST_SUITE(family)

BOOST_DATA_TEST_CASE(refused_fields_are_named,
                     boost::unit_test::data::make(refusals), r) {
  BOOST_CHECK_EXCEPTION(spec_of(r.type, r.fields, r.more), error,
                        [&](const error &e) { return e.field() == r.field; });
}

BOOST_AUTO_TEST_CASE(window_of_mistral) {
  BOOST_TEST(spec_of("mistral", llama_fields).window == 4096);
  const auto with = [](const char *window) {
    return spec_of("mistral", llama_fields,
                   std::string(R"("sliding_window": )") + window)
        .window;
  };
  BOOST_TEST(with("null") == 0);
  BOOST_TEST(with("24") == 24);
}

BOOST_AUTO_TEST_CASE(experts_of_mixtral) {
  const auto plain = spec_of("mixtral", mixtral_fields);
  BOOST_TEST((plain.mlp_form == hlo::mlp_kind::experts));
  BOOST_TEST(plain.experts == 4);
  BOOST_TEST(plain.experts_per_token == 2);
  BOOST_TEST(plain.norm_eps == 1e-5);
  BOOST_TEST(plain.window == 0);
  const auto other = spec_of("mixtral", mixtral_fields,
                             R"("num_experts_per_tok": 3, "hidden_act": "gelu",
                                "router_jitter_noise": 0.1,
                                "sliding_window": 24)");
  BOOST_TEST(other.experts_per_token == 3);
  BOOST_TEST(other.window == 24);
  BOOST_TEST((other.act == hlo::activation::gelu_erf));
}

BOOST_AUTO_TEST_CASE(base_of_gpt_neox_under_either_name) {
  const auto second = [](const char *field) {
    return spec_of("gpt_neox", llama_fields,
                   std::string(R"("rotary_pct": 1.0, ")") + field + R"(": 256)")
        .rotary.frequencies.at(1);
  };
  BOOST_TEST(second("rotary_emb_base") == 0.25f);
  BOOST_TEST(second("rope_theta") == 0.25f);
}

// As configs are written since transformers 5.
BOOST_AUTO_TEST_CASE(newer_names_mean_the_same) {
  const auto old = spec_of("llama", llama_fields,
                           R"("torch_dtype": "bfloat16", "rope_theta": 500.0,
                              "rope_scaling": {"type": "linear", "factor": 2})");
  const auto now = spec_of("llama", llama_fields,
                           R"("dtype": "bfloat16", "rope_parameters":
                              {"rope_theta": 500.0, "rope_type": "linear",
                               "factor": 2})");
  BOOST_TEST((now.stored_type == hlo::element_type::bf16));
  BOOST_TEST((now.stored_type == old.stored_type));
  BOOST_TEST(now.rotary.frequencies == old.rotary.frequencies,
             boost::test_tools::per_element());
  BOOST_TEST(now.rotary.frequencies[0] == 0.5f);
  const auto plain = spec_of("gpt_neox", llama_fields,
                             R"("rope_parameters": {"rope_theta": 256,
                                "partial_rotary_factor": 1.0})");
  BOOST_TEST(plain.rotary.frequencies.at(1) == 0.25f);
}

BOOST_AUTO_TEST_CASE(slopes_of_heads_that_are_no_power_of_two) {
  const auto slopes = spec_of("bloom", bloom_fields).alibi_slopes;
  BOOST_REQUIRE(slopes.size() == 12);
  for (int i = 0; i < 8; ++i)
    BOOST_TEST(slopes[i] == std::exp2(-float(i + 1)));
  for (int i = 0; i < 4; ++i)
    BOOST_TEST(std::abs(slopes[8 + i] - std::exp2(-0.5 - i)) < 1e-7);
}

BOOST_AUTO_TEST_CASE(forms_of_opt) {
  const auto plain = spec_of("opt", opt_fields);
  BOOST_TEST(plain.final_norm);
  BOOST_TEST((plain.norms == hlo::norm_place::before));
  const auto after =
      spec_of("opt", opt_fields,
              R"("do_layer_norm_before": false, "word_embed_proj_dim": 32)");
  BOOST_TEST(!after.final_norm);
  BOOST_TEST((after.norms == hlo::norm_place::after));
  BOOST_TEST(after.embedding_width == 32);
}

BOOST_AUTO_TEST_SUITE_END()
