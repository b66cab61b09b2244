// GPT-BigCode (HuggingFace GPTBigCodeForCausalLM): StarCoder, SantaCoder.
#include "runtime/models/config_fields.hpp"
#include "runtime/models/tensor_names.hpp"

namespace ganglion::runtime {

namespace {

/// attention_softmax_in_fp32 and scale_attention_softmax_in_fp32 choose the
/// precision of half-type scores; scores are always f32 here.
hlo::decoder_spec spec_of(const json::value &config) {
  hlo::decoder_spec s;
  s.family = "gpt_bigcode";
  s.layers = positive(config, "n_layer");
  s.hidden = positive(config, "n_embd");
  s.heads = positive(config, "n_head");
  s.kv_heads = config.get_bool("multi_query", true) ? 1 : s.heads;
  s.head_dim = divided_heads(config, s, "n_head");
  s.mlp = positive_or(config, "n_inner", 4 * s.hidden);
  s.vocabulary = positive(config, "vocab_size");
  s.n_positions = positive_or(config, "n_positions", 1024);
  s.norm = hlo::norm_kind::layer;
  s.norm_eps = config.get_double("layer_norm_epsilon", 1e-5);
  s.position = hlo::position_kind::learned;
  s.mlp_form = hlo::mlp_kind::plain;
  s.act = activation_field(config, "activation_function", "gelu_pytorch_tanh");
  s.qkv_bias = s.output_bias = s.mlp_bias = true;
  s.tied_head = config.get_bool("tie_word_embeddings", true);
  s.stored_type = stored_type(config);
  expect_bool(config, "scale_attn_weights", true);
  expect_bool(config, "add_cross_attention", false);
  check_heads(s, config);
  return s;
}

/// Multi-query: all queries, then the one key and the one value head.
tensor_origin one_key_head(const std::string &name, int which,
                           const hlo::decoder_spec &spec) {
  const auto queries = spec.heads * spec.head_dim;
  return {.name = name,
          .first_output =
              which == 0 ? 0 : queries + (which - 1) * spec.head_dim,
          .fused_outputs = queries + 2 * spec.head_dim};
}

tensor_origin origin(const hlo::decoder_spec &spec, std::int64_t layer,
                     const std::string &part) {
  static const tensor_names names = {
      {
          {"embedding.tokens", "transformer.wte"},
          {"embedding.positions", "transformer.wpe"},
          {"final_norm", "transformer.ln_f"},
          {"head", "lm_head"},
      },
      "transformer.h.",
      {
          {"attention.norm", "ln_1"},
          {"attention.query", "attn.c_attn"},
          {"attention.key", "attn.c_attn"},
          {"attention.value", "attn.c_attn"},
          {"attention.output", "attn.c_proj"},
          {"mlp.norm", "ln_2"},
          {"mlp.up", "mlp.c_fc"},
          {"mlp.down", "mlp.c_proj"},
      }};
  const std::string name = names.of(spec, layer, part);
  const int which = fused_part(part);
  if (which < 0)
    return {name};
  return spec.kv_heads == 1 && spec.heads > 1
             ? one_key_head(name, which, spec)
             : interleaved_heads(name, which, spec);
}

} // namespace

extern const family gpt_bigcode_family;
const family gpt_bigcode_family = {"gpt_bigcode",
                                   spec_of,
                                   origin,
                                   "transformer.",
                                   {"attn.bias", "attn.masked_bias"}};

} // namespace ganglion::runtime
