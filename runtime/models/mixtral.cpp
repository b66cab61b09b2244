// Mixtral (HuggingFace MixtralForCausalLM): Mistral with a mixture of experts
// instead of the MLP. Its router_* fields matter to training alone.
#include "hlo/support/error.hpp"
#include "runtime/models/llama_like.hpp"

namespace ganglion::runtime {

namespace {

hlo::decoder_spec spec_of(const json::value &config) {
  for (const auto &[field, accepted] :
       {std::pair("num_key_value_heads", "1 to the heads"),
        std::pair("rope_theta", "a positive number")})
    if (!config.find(field))
      refuse(config, field, "leaving it out", accepted);
  expect_bool(config, "norm_topk_prob", true);
  auto s = llama_like_spec(config, "mixtral", 131072);
  s.norm_eps = epsilon_field(config, "rms_norm_eps", 1e-5);
  s.window = window_of(config, 0);
  s.mlp_form = hlo::mlp_kind::experts;
  s.experts =
      positive_or(config, "num_local_experts", 8, most::experts / s.layers);
  s.experts_per_token =
      positive_or(config, "num_experts_per_tok", 2, s.experts);
  return s;
}

/// "mlp.experts.5.gate.weight" -> "experts.5.w1.weight".
std::string expert_tensor(std::string part) {
  part.erase(0, std::string("mlp.").size());
  for (const auto &[ours, theirs] :
       {std::pair(".gate.", ".w1."), std::pair(".down.", ".w2."),
        std::pair(".up.", ".w3.")})
    if (const auto at = part.find(ours); at != std::string::npos)
      return part.replace(at, std::string(ours).size(), theirs);
  throw error(error_code::internal, "no checkpoint name for " + part,
              "mixtral");
}

tensor_origin origin(const hlo::decoder_spec &spec, std::int64_t layer,
                     const std::string &part) {
  if (!part.starts_with("mlp.") || part.starts_with("mlp.norm."))
    return llama_like_origin(spec, layer, part);
  return {"model.layers." + std::to_string(layer) + ".block_sparse_moe." +
          (part == "mlp.router.weight" ? "gate.weight" : expert_tensor(part))};
}

} // namespace

extern const family mixtral_family;
const family mixtral_family = {
    "mixtral", spec_of, origin, "model.", {"rotary_emb.inv_freq"}};

} // namespace ganglion::runtime
