// BLOOM (HuggingFace BloomForCausalLM).
#include "runtime/models/config_fields.hpp"
#include "runtime/models/tensor_names.hpp"

#include <bit>
#include <cmath>

namespace ganglion::runtime {

namespace {

/// The slopes of Press et al. 2022: a geometric series for a power of two;
/// heads beyond it take every other term of the series for twice as many.
std::vector<float> alibi_slopes(std::int64_t heads) {
  const auto whole = static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(heads)));
  const auto base = [](std::int64_t n) {
    return std::exp2(-std::exp2(3.0 - std::log2(double(n))));
  };
  std::vector<float> out;
  for (std::int64_t i = 0; i < whole; ++i)
    out.push_back(static_cast<float>(std::pow(base(whole), double(i + 1))));
  for (std::int64_t i = 0; i < heads - whole; ++i)
    out.push_back(
        static_cast<float>(std::pow(base(2 * whole), double(2 * i + 1))));
  return out;
}

/// Older configs call the field `n_embed`.
std::int64_t hidden_size(const json::value &config) {
  return positive(config,
                  config.find("hidden_size") ? "hidden_size" : "n_embed",
                  most::hidden);
}

/// slow_but_exact and pretraining_tp only reorder HuggingFace's sums.
hlo::decoder_spec spec_of(const json::value &config) {
  hlo::decoder_spec s;
  s.family = "bloom";
  s.layers =
      positive(config, config.find("n_layer") ? "n_layer" : "num_hidden_layers",
               most::layers);
  s.hidden = hidden_size(config);
  s.heads = s.kv_heads =
      positive(config, config.find("n_head") ? "n_head" : "num_attention_heads",
               most::heads);
  s.head_dim = divided_heads(config, s, "n_head");
  s.mlp = 4 * s.hidden;
  s.vocabulary = positive(config, "vocab_size", most::vocabulary);
  // ALiBi itself has no last position.
  s.n_positions = positive_or(config, "seq_length", 2048, most::positions);
  s.norm = hlo::norm_kind::layer;
  s.norm_eps = epsilon_field(config, "layer_norm_epsilon", 1e-5);
  s.norms = config.get_bool("apply_residual_connection_post_layernorm", false)
                ? hlo::norm_place::before_kept
                : hlo::norm_place::before;
  s.embedding_norm = true;
  s.position = hlo::position_kind::alibi;
  s.alibi_slopes = alibi_slopes(s.heads);
  s.mlp_form = hlo::mlp_kind::plain;
  s.act = hlo::activation::gelu_tanh;
  s.qkv_bias = s.output_bias = s.mlp_bias = true;
  s.tied_head = config.get_bool("tie_word_embeddings", true);
  s.stored_type = stored_type(config);
  check_heads(s, config);
  return s;
}

tensor_origin origin(const hlo::decoder_spec &spec, std::int64_t layer,
                     const std::string &part) {
  static const tensor_names names = {
      {
          {"embedding.tokens", "transformer.word_embeddings"},
          {"embedding_norm", "transformer.word_embeddings_layernorm"},
          {"final_norm", "transformer.ln_f"},
          {"head", "lm_head"},
      },
      "transformer.h.",
      {
          {"attention.norm", "input_layernorm"},
          {"attention.query", "self_attention.query_key_value"},
          {"attention.key", "self_attention.query_key_value"},
          {"attention.value", "self_attention.query_key_value"},
          {"attention.output", "self_attention.dense"},
          {"mlp.norm", "post_attention_layernorm"},
          {"mlp.up", "mlp.dense_h_to_4h"},
          {"mlp.down", "mlp.dense_4h_to_h"},
      }};
  return interleaved_origin(names, spec, layer, part);
}

} // namespace

extern const family bloom_family;
const family bloom_family = {"bloom", spec_of, origin, "transformer.", {}};

} // namespace ganglion::runtime
