// GPT-J (HuggingFace GPTJForCausalLM).
#include "hlo/support/error.hpp"
#include "runtime/models/config_fields.hpp"
#include "runtime/models/rope_scaling.hpp"
#include "runtime/models/tensor_names.hpp"

namespace ganglion::runtime {

namespace {

hlo::rotary_spec rotary(const json::value &config, std::int64_t head_dim) {
  const std::int64_t width = positive(config, "rotary_dim");
  if (width % 2 != 0 || width > head_dim)
    throw error(error_code::invalid_argument,
                std::to_string(width) +
                    " is not an even number up to the head size " +
                    std::to_string(head_dim),
                config.where(), "rotary_dim");
  auto r = rotary_of(config, width);
  r.pairs = hlo::rotary_pairs::interleaved;
  return r;
}

hlo::decoder_spec spec_of(const json::value &config) {
  hlo::decoder_spec s;
  s.family = "gptj";
  s.layers = positive(config, "n_layer");
  s.hidden = positive(config, "n_embd");
  s.heads = s.kv_heads = positive(config, "n_head");
  s.head_dim = divided_heads(config, s, "n_head");
  s.mlp = positive_or(config, "n_inner", 4 * s.hidden);
  s.vocabulary = positive(config, "vocab_size");
  s.n_positions = positive_or(config, "n_positions", 2048);
  s.norm = hlo::norm_kind::layer;
  s.norm_eps = config.get_double("layer_norm_epsilon", 1e-5);
  s.residual = hlo::residual_kind::parallel_shared;
  s.rotary = rotary(config, s.head_dim);
  s.mlp_form = hlo::mlp_kind::plain;
  s.act = activation_field(config, "activation_function", "gelu_new");
  s.mlp_bias = s.head_bias = true;
  s.tied_head = config.get_bool("tie_word_embeddings", false);
  s.stored_type = stored_type(config);
  check_heads(s, config);
  return s;
}

tensor_origin origin(const hlo::decoder_spec &spec, std::int64_t layer,
                     const std::string &part) {
  static const tensor_names names = {
      {
          {"embedding.tokens", "transformer.wte"},
          {"final_norm", "transformer.ln_f"},
          {"head", "lm_head"},
      },
      "transformer.h.",
      {
          {"attention.norm", "ln_1"},
          {"attention.query", "attn.q_proj"},
          {"attention.key", "attn.k_proj"},
          {"attention.value", "attn.v_proj"},
          {"attention.output", "attn.out_proj"},
          {"mlp.up", "mlp.fc_in"},
          {"mlp.down", "mlp.fc_out"},
      }};
  return {names.of(spec, layer, part)};
}

} // namespace

extern const family gptj_family;
const family gptj_family = {"gptj",
                            spec_of,
                            origin,
                            "transformer.",
                            {"attn.bias", "attn.masked_bias"},
                            "lm_head.weight",
                            ""};

} // namespace ganglion::runtime
