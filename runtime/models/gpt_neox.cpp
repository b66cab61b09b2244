// GPT-NeoX (HuggingFace GPTNeoXForCausalLM): Pythia, Dolly.
#include "hlo/support/error.hpp"
#include "runtime/models/config_fields.hpp"
#include "runtime/models/rope_scaling.hpp"
#include "runtime/models/tensor_names.hpp"

namespace ganglion::runtime {

namespace {

double rotary_share(const json::value &config) {
  const char *newer = "partial_rotary_factor";
  const auto settings = config.find("rope_parameters");
  const double usual = settings ? settings->get_double(newer, 0.25) : 0.25;
  return config.get_double("rotary_pct", config.get_double(newer, usual));
}

/// The rotated part of a head; HuggingFace rounds it down.
std::int64_t rotary_width(const json::value &config, std::int64_t head_dim) {
  const double share = rotary_share(config);
  const bool possible = share > 0 && share <= 1;
  const auto width =
      possible ? static_cast<std::int64_t>(double(head_dim) * share) : 0;
  if (width < 2 || width % 2 != 0)
    throw error(error_code::invalid_argument,
                std::to_string(share) + " of head size " +
                    std::to_string(head_dim) +
                    " is no even number of dimensions, 2 or more",
                config.where(), "rotary_pct");
  return width;
}

hlo::decoder_spec spec_of(const json::value &config) {
  hlo::decoder_spec s;
  s.family = "gpt_neox";
  s.layers = positive(config, "num_hidden_layers", most::layers);
  s.hidden = positive(config, "hidden_size", most::hidden);
  s.heads = s.kv_heads = positive(config, "num_attention_heads", most::heads);
  s.head_dim = divided_heads(config, s, "num_attention_heads");
  s.mlp = positive(config, "intermediate_size", most::mlp);
  s.vocabulary = positive(config, "vocab_size", most::vocabulary);
  s.n_positions =
      positive_or(config, "max_position_embeddings", 2048, most::positions);
  s.norm = hlo::norm_kind::layer;
  s.norm_eps = epsilon_field(config, "layer_norm_eps", 1e-5);
  s.residual = config.get_bool("use_parallel_residual", true)
                   ? hlo::residual_kind::parallel
                   : hlo::residual_kind::sequential;
  s.mlp_form = hlo::mlp_kind::plain;
  s.act = activation_field(config, "hidden_act", "gelu");
  s.qkv_bias = s.output_bias = config.get_bool("attention_bias", true);
  s.mlp_bias = true;
  s.tied_head = config.get_bool("tie_word_embeddings", false);
  s.stored_type = stored_type(config);
  check_heads(s, config);
  // Newer configs call the base rope_theta and keep both names.
  s.rotary = rotary_of(config, rotary_width(config, s.head_dim),
                       config.find("rotary_emb_base") ? "rotary_emb_base"
                                                      : "rope_theta");
  return s;
}

tensor_origin origin(const hlo::decoder_spec &spec, std::int64_t layer,
                     const std::string &part) {
  static const tensor_names names = {
      {
          {"embedding.tokens", "gpt_neox.embed_in"},
          {"final_norm", "gpt_neox.final_layer_norm"},
          {"head", "embed_out"},
      },
      "gpt_neox.layers.",
      {
          {"attention.norm", "input_layernorm"},
          {"attention.query", "attention.query_key_value"},
          {"attention.key", "attention.query_key_value"},
          {"attention.value", "attention.query_key_value"},
          {"attention.output", "attention.dense"},
          {"mlp.norm", "post_attention_layernorm"},
          {"mlp.up", "mlp.dense_h_to_4h"},
          {"mlp.down", "mlp.dense_4h_to_h"},
      }};
  return interleaved_origin(names, spec, layer, part);
}

} // namespace

extern const family gpt_neox_family;
const family gpt_neox_family = {
    "gpt_neox",
    spec_of,
    origin,
    "gpt_neox.",
    {"attention.bias", "attention.masked_bias", "rotary_emb.inv_freq"},
    "embed_out.weight",
    "rotary_emb_base"};

} // namespace ganglion::runtime
