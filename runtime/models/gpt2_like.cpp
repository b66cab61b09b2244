#include "runtime/models/gpt2_like.hpp"

namespace ganglion::runtime {

hlo::decoder_spec gpt2_like_spec(const json::value &config,
                                 const std::string &family,
                                 const gpt2_like_defaults &defaults) {
  hlo::decoder_spec s;
  s.family = family;
  s.layers = positive(config, "n_layer", most::layers);
  s.hidden = positive(config, "n_embd", most::hidden);
  s.heads = s.kv_heads = positive(config, "n_head", most::heads);
  s.head_dim = divided_heads(config, s, "n_head");
  s.mlp = positive_or(config, "n_inner", 4 * s.hidden, most::mlp);
  s.vocabulary = positive(config, "vocab_size", most::vocabulary);
  s.n_positions =
      positive_or(config, "n_positions", defaults.n_positions, most::positions);
  s.norm = hlo::norm_kind::layer;
  s.norm_eps = epsilon_field(config, "layer_norm_epsilon", 1e-5);
  s.mlp_form = hlo::mlp_kind::plain;
  s.act = activation_field(config, "activation_function", defaults.activation);
  s.mlp_bias = true;
  s.tied_head = config.get_bool("tie_word_embeddings", defaults.tied_head);
  s.stored_type = stored_type(config);
  check_heads(s, config);
  return s;
}

const tensor_names &gpt2_like_names() {
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
  return names;
}

} // namespace ganglion::runtime
