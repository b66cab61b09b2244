// Qwen 2 (HuggingFace Qwen2ForCausalLM): LLaMA with biases on queries, keys
// and values.
#include "runtime/models/llama_like.hpp"

namespace ganglion::runtime {

namespace {

hlo::decoder_spec spec_of(const json::value &config) {
  auto s = llama_like_spec(config, "qwen2", 32768);
  s.qkv_bias = true;
  expect_bool(config, "use_sliding_window", false);
  expect_bool(config, "use_mrope", false);
  return s;
}

} // namespace

extern const family qwen2_family;
const family qwen2_family = {
    "qwen2", spec_of, llama_like_origin, "model.", {"rotary_emb.inv_freq"}};

} // namespace ganglion::runtime
