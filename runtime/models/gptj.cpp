// GPT-J (HuggingFace GPTJForCausalLM).
#include "hlo/support/error.hpp"
#include "runtime/models/gpt2_like.hpp"
#include "runtime/models/rope_scaling.hpp"

namespace ganglion::runtime {

namespace {

hlo::rotary_spec rotary(const json::value &config, std::int64_t head_dim) {
  const std::int64_t width = positive(config, "rotary_dim", most::head_dim);
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
  auto s =
      gpt2_like_spec(config, "gptj", {.n_positions = 2048, .tied_head = false});
  s.residual = hlo::residual_kind::parallel_shared;
  s.rotary = rotary(config, s.head_dim);
  s.head_bias = true;
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
