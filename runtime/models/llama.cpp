// LLaMA 1, 2, 3 (HuggingFace LlamaForCausalLM).
#include "runtime/models/config_fields.hpp"
#include "runtime/models/family.hpp"
#include "runtime/models/rope_scaling.hpp"

#include <map>

namespace ganglion::runtime {

namespace {

hlo::decoder_spec spec_of(const json::value &config) {
  hlo::decoder_spec s;
  s.family = "llama";
  s.layers = positive(config, "num_hidden_layers");
  s.hidden = positive(config, "hidden_size");
  s.heads = positive(config, "num_attention_heads");
  s.kv_heads = positive_or(config, "num_key_value_heads", s.heads);
  s.head_dim = positive_or(config, "head_dim", s.hidden / s.heads);
  s.mlp = positive(config, "intermediate_size");
  s.vocabulary = positive(config, "vocab_size");
  s.n_positions = positive_or(config, "max_position_embeddings", 2048);
  s.norm_eps = config.get_double("rms_norm_eps", 1e-6);
  s.rotary = rotary_of(config, s.head_dim);
  s.act = activation_field(config, "hidden_act", "silu");
  s.qkv_bias = s.output_bias = config.get_bool("attention_bias", false);
  expect_bool(config, "mlp_bias", false);
  s.tied_head = config.get_bool("tie_word_embeddings", false);
  s.stored_type = stored_type(config);
  check_heads(s, config);
  return s;
}

tensor_origin origin(const hlo::decoder_spec &spec, std::int64_t layer,
                     const std::string &part) {
  static const std::map<std::string, std::string> outside = {
      {"embedding.tokens", "model.embed_tokens.weight"},
      {"final_norm.weight", "model.norm.weight"},
  };
  static const std::map<std::string, std::string> inside = {
      {"attention.norm", "input_layernorm"},
      {"attention.query", "self_attn.q_proj"},
      {"attention.key", "self_attn.k_proj"},
      {"attention.value", "self_attn.v_proj"},
      {"attention.output", "self_attn.o_proj"},
      {"mlp.norm", "post_attention_layernorm"},
      {"mlp.gate", "mlp.gate_proj"},
      {"mlp.up", "mlp.up_proj"},
      {"mlp.down", "mlp.down_proj"},
  };
  if (part == "head.weight")
    return {spec.tied_head ? outside.at("embedding.tokens") : "lm_head.weight"};
  if (layer < 0)
    return {outside.at(part)};
  const auto dot = part.rfind('.');
  return {"model.layers." + std::to_string(layer) + "." +
          inside.at(part.substr(0, dot)) + part.substr(dot)};
}

} // namespace

extern const family llama_family;
const family llama_family = {
    "llama", spec_of, origin, "model.", {"rotary_emb.inv_freq"}};

} // namespace ganglion::runtime
