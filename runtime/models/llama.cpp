// LLaMA 1, 2, 3 (HuggingFace LlamaForCausalLM).
#include "runtime/models/llama_like.hpp"

namespace ganglion::runtime {

namespace {

hlo::decoder_spec spec_of(const json::value &config) {
  auto s = llama_like_spec(config, "llama", 2048);
  s.qkv_bias = s.output_bias = config.get_bool("attention_bias", false);
  s.mlp_bias = config.get_bool("mlp_bias", false);
  return s;
}

} // namespace

extern const family llama_family;
const family llama_family = {
    "llama", spec_of, llama_like_origin, "model.", {"rotary_emb.inv_freq"}};

} // namespace ganglion::runtime
