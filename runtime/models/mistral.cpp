// Mistral (HuggingFace MistralForCausalLM): LLaMA with a sliding window.
#include "runtime/models/llama_like.hpp"

namespace ganglion::runtime {

namespace {

hlo::decoder_spec spec_of(const json::value &config) {
  auto s = llama_like_spec(config, "mistral", 131072);
  if (!config.find("num_key_value_heads"))
    refuse(config, "num_key_value_heads", "leaving it out", "1 to the heads");
  s.window = window_of(config, 4096);
  return s;
}

} // namespace

extern const family mistral_family;
const family mistral_family = {
    "mistral", spec_of, llama_like_origin, "model.", {"rotary_emb.inv_freq"}};

} // namespace ganglion::runtime
