// Mistral (HuggingFace MistralForCausalLM): LLaMA with a sliding window.
#include "runtime/models/llama_like.hpp"

namespace ganglion::runtime {

namespace {

/// Absent means HuggingFace's 4096, null no window.
std::int64_t window_of(const json::value &config) {
  if (config.find("sliding_window"))
    return positive(config, "sliding_window");
  for (const auto &[name, member] : config.members())
    if (name == "sliding_window")
      return 0;
  return 4096;
}

hlo::decoder_spec spec_of(const json::value &config) {
  auto s = llama_like_spec(config, "mistral", 131072);
  if (!config.find("num_key_value_heads"))
    refuse(config, "num_key_value_heads", "leaving it out", "1 to the heads");
  s.window = window_of(config);
  return s;
}

} // namespace

extern const family mistral_family;
const family mistral_family = {
    "mistral", spec_of, llama_like_origin, "model.", {"rotary_emb.inv_freq"}};

} // namespace ganglion::runtime
