// GPT-2 (HuggingFace GPT2LMHeadModel).
#include "hlo/support/error.hpp"
#include "runtime/models/config_fields.hpp"
#include "runtime/models/family.hpp"

#include <map>

namespace ganglion::runtime {

namespace {

hlo::decoder_spec spec_of(const json::value &config) {
  hlo::decoder_spec s;
  s.family = "gpt2";
  s.layers = positive(config, "n_layer");
  s.hidden = positive(config, "n_embd");
  s.heads = s.kv_heads = positive(config, "n_head");
  if (s.hidden % s.heads != 0)
    throw error(error_code::invalid_argument,
                std::to_string(s.heads) + " heads do not divide n_embd " +
                    std::to_string(s.hidden),
                config.where(), "n_head");
  s.head_dim = s.hidden / s.heads;
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

/// c_attn holds queries, keys and values side by side.
tensor_origin fused(const std::string &prefix, const hlo::decoder_spec &spec,
                    std::int64_t which, const std::string &suffix) {
  return {prefix + "attn.c_attn" + suffix, true, which * spec.hidden,
          3 * spec.hidden};
}

tensor_origin origin(const hlo::decoder_spec &spec, std::int64_t layer,
                     const std::string &part) {
  static const std::map<std::string, std::string> outside = {
      {"embedding.tokens", "transformer.wte.weight"},
      {"embedding.positions", "transformer.wpe.weight"},
      {"final_norm.weight", "transformer.ln_f.weight"},
      {"final_norm.bias", "transformer.ln_f.bias"},
  };
  if (part == "head.weight")
    return {spec.tied_head ? outside.at("embedding.tokens") : "lm_head.weight"};
  if (layer < 0)
    return {outside.at(part)};
  const std::string prefix = "transformer.h." + std::to_string(layer) + ".";
  const auto dot = part.rfind('.');
  const std::string name = part.substr(0, dot), suffix = part.substr(dot);
  if (name == "attention.query")
    return fused(prefix, spec, 0, suffix);
  if (name == "attention.key")
    return fused(prefix, spec, 1, suffix);
  if (name == "attention.value")
    return fused(prefix, spec, 2, suffix);
  // Conv1D keeps weights [in, out]; norms are vectors.
  if (name == "attention.norm")
    return {prefix + "ln_1" + suffix};
  if (name == "mlp.norm")
    return {prefix + "ln_2" + suffix};
  static const std::map<std::string, std::string> products = {
      {"attention.output", "attn.c_proj"},
      {"mlp.up", "mlp.c_fc"},
      {"mlp.down", "mlp.c_proj"},
  };
  return {prefix + products.at(name) + suffix, true};
}

} // namespace

extern const family gpt2_family;
const family gpt2_family = {
    "gpt2", spec_of, origin, "transformer.", {"attn.bias", "attn.masked_bias"}};

} // namespace ganglion::runtime
