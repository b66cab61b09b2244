#include "runtime/models/llama_like.hpp"

#include "runtime/models/rope_scaling.hpp"
#include "runtime/models/tensor_names.hpp"

namespace ganglion::runtime {

hlo::decoder_spec llama_like_spec(const json::value &config,
                                  const std::string &family,
                                  std::int64_t n_positions) {
  hlo::decoder_spec s;
  s.family = family;
  s.layers = positive(config, "num_hidden_layers", most::layers);
  s.hidden = positive(config, "hidden_size", most::hidden);
  s.heads = positive(config, "num_attention_heads", most::heads);
  s.kv_heads = positive_or(config, "num_key_value_heads", s.heads, most::heads);
  s.head_dim = config.find("head_dim")
                   ? positive(config, "head_dim", most::head_dim)
                   : divided_heads(config, s, "num_attention_heads");
  s.mlp = positive(config, "intermediate_size", most::mlp);
  s.vocabulary = positive(config, "vocab_size", most::vocabulary);
  s.n_positions = positive_or(config, "max_position_embeddings", n_positions,
                              most::positions);
  s.norm_eps = epsilon_field(config, "rms_norm_eps", 1e-6);
  s.act = activation_field(config, "hidden_act", "silu");
  s.tied_head = config.get_bool("tie_word_embeddings", false);
  s.stored_type = stored_type(config);
  check_heads(s, config);
  if (config.get_double("partial_rotary_factor", 1.0) != 1.0)
    refuse(config, "partial_rotary_factor",
           config.at("partial_rotary_factor").dump(), "1.0");
  s.rotary = rotary_of(config, s.head_dim);
  return s;
}

std::int64_t window_of(const json::value &config, std::int64_t absent) {
  if (config.find("sliding_window"))
    return positive(config, "sliding_window", most::positions);
  for (const auto &[name, member] : config.members())
    if (name == "sliding_window")
      return 0;
  return absent;
}

tensor_origin llama_like_origin(const hlo::decoder_spec &spec,
                                std::int64_t layer, const std::string &part) {
  static const tensor_names names = {
      {
          {"embedding.tokens", "model.embed_tokens"},
          {"final_norm", "model.norm"},
          {"head", "lm_head"},
      },
      "model.layers.",
      {
          {"attention.norm", "input_layernorm"},
          {"attention.query", "self_attn.q_proj"},
          {"attention.query_norm", "self_attn.q_norm"},
          {"attention.key", "self_attn.k_proj"},
          {"attention.key_norm", "self_attn.k_norm"},
          {"attention.value", "self_attn.v_proj"},
          {"attention.output", "self_attn.o_proj"},
          {"mlp.norm", "post_attention_layernorm"},
          {"mlp.gate", "mlp.gate_proj"},
          {"mlp.up", "mlp.up_proj"},
          {"mlp.down", "mlp.down_proj"},
      }};
  return {names.of(spec, layer, part)};
}

} // namespace ganglion::runtime
