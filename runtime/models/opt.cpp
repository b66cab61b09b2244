// OPT (HuggingFace OPTForCausalLM), pre- and post-norm.
#include "runtime/models/config_fields.hpp"
#include "runtime/models/tensor_names.hpp"

namespace ganglion::runtime {

namespace {

/// Rows of the position table before that of position 0.
constexpr std::int64_t position_offset = 2;

hlo::decoder_spec spec_of(const json::value &config) {
  hlo::decoder_spec s;
  s.family = "opt";
  s.layers = positive(config, "num_hidden_layers", most::layers);
  s.hidden = positive(config, "hidden_size", most::hidden);
  s.heads = s.kv_heads = positive(config, "num_attention_heads", most::heads);
  s.head_dim = divided_heads(config, s, "num_attention_heads");
  s.mlp = positive(config, "ffn_dim", most::mlp);
  s.vocabulary = positive(config, "vocab_size", most::vocabulary);
  s.n_positions =
      positive_or(config, "max_position_embeddings", 2048, most::positions);
  s.norm = hlo::norm_kind::layer;
  const bool before = config.get_bool("do_layer_norm_before", true);
  s.norms = before ? hlo::norm_place::before : hlo::norm_place::after;
  s.final_norm = before && !config.get_bool("_remove_final_layer_norm", false);
  s.position = hlo::position_kind::learned;
  s.embedding_width =
      positive_or(config, "word_embed_proj_dim", s.hidden, most::hidden);
  s.mlp_form = hlo::mlp_kind::plain;
  s.act = activation_field(config, "activation_function", "relu");
  s.qkv_bias = s.output_bias = s.mlp_bias =
      config.get_bool("enable_bias", true);
  s.tied_head = config.get_bool("tie_word_embeddings", true);
  s.stored_type = stored_type(config);
  expect_bool(config, "layer_norm_elementwise_affine", true);
  check_heads(s, config);
  return s;
}

tensor_origin origin(const hlo::decoder_spec &spec, std::int64_t layer,
                     const std::string &part) {
  static const tensor_names names = {
      {
          {"embedding.tokens", "model.decoder.embed_tokens"},
          {"embedding.positions", "model.decoder.embed_positions"},
          {"project_in", "model.decoder.project_in"},
          {"project_out", "model.decoder.project_out"},
          {"final_norm", "model.decoder.final_layer_norm"},
          {"head", "lm_head"},
      },
      "model.decoder.layers.",
      {
          {"attention.norm", "self_attn_layer_norm"},
          {"attention.query", "self_attn.q_proj"},
          {"attention.key", "self_attn.k_proj"},
          {"attention.value", "self_attn.v_proj"},
          {"attention.output", "self_attn.out_proj"},
          {"mlp.norm", "final_layer_norm"},
          {"mlp.up", "fc1"},
          {"mlp.down", "fc2"},
      }};
  const std::string name = names.of(spec, layer, part);
  if (part == "embedding.positions")
    return {.name = name,
            .first_output = position_offset,
            .fused_outputs = spec.n_positions + position_offset};
  return {name};
}

} // namespace

extern const family opt_family;
const family opt_family = {"opt", spec_of, origin, "model.", {}};

} // namespace ganglion::runtime
