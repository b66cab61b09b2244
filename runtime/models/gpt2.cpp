// GPT-2 (HuggingFace GPT2LMHeadModel).
#include "runtime/models/config_fields.hpp"
#include "runtime/models/tensor_names.hpp"

namespace ganglion::runtime {

namespace {

hlo::decoder_spec spec_of(const json::value &config) {
  hlo::decoder_spec s;
  s.family = "gpt2";
  s.layers = positive(config, "n_layer");
  s.hidden = positive(config, "n_embd");
  s.heads = s.kv_heads = positive(config, "n_head");
  s.head_dim = divided_heads(config, s, "n_head");
  s.mlp = positive_or(config, "n_inner", 4 * s.hidden);
  s.vocabulary = positive(config, "vocab_size");
  s.n_positions = positive_or(config, "n_positions", 1024);
  s.norm = hlo::norm_kind::layer;
  s.norm_eps = config.get_double("layer_norm_epsilon", 1e-5);
  s.position = hlo::position_kind::learned;
  s.mlp_form = hlo::mlp_kind::plain;
  s.act = activation_field(config, "activation_function", "gelu_new");
  s.qkv_bias = s.output_bias = s.mlp_bias = true;
  s.tied_head = config.get_bool("tie_word_embeddings", true);
  s.stored_type = stored_type(config);
  expect_bool(config, "scale_attn_weights", true);
  expect_bool(config, "scale_attn_by_inverse_layer_idx", false);
  check_heads(s, config);
  return s;
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
  tensor_origin o{names.of(spec, layer, part)};
  // Conv1D keeps weights [in, out], queries, keys and values side by side.
  o.transposed = layer >= 0 && part.find("norm") == std::string::npos;
  if (const int which = fused_part(part); which >= 0) {
    o.first_output = which * spec.hidden;
    o.fused_outputs = 3 * spec.hidden;
  }
  return o;
}

} // namespace

extern const family gpt2_family;
const family gpt2_family = {
    "gpt2", spec_of, origin, "transformer.", {"attn.bias", "attn.masked_bias"}};

} // namespace ganglion::runtime
