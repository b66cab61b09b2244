// Qwen 3 (HuggingFace Qwen3ForCausalLM): LLaMA with a norm on every query and
// key head.
#include "runtime/models/llama_like.hpp"

namespace ganglion::runtime {

namespace {

hlo::decoder_spec spec_of(const json::value &config) {
  if (!config.find("head_dim"))
    refuse(config, "head_dim", "leaving it out", "1 to 512");
  auto s = llama_like_spec(config, "qwen3", 32768);
  s.query_key_norm = true;
  s.qkv_bias = s.output_bias = config.get_bool("attention_bias", false);
  expect_bool(config, "use_sliding_window", false);
  return s;
}

} // namespace

extern const family qwen3_family;
const family qwen3_family = {
    "qwen3", spec_of, llama_like_origin, "model.", {"rotary_emb.inv_freq"}};

} // namespace ganglion::runtime
