// GPT-BigCode (HuggingFace GPTBigCodeForCausalLM): StarCoder, SantaCoder.
#include "runtime/models/gpt2_like.hpp"

namespace ganglion::runtime {

namespace {

/// attention_softmax_in_fp32 and scale_attention_softmax_in_fp32 choose the
/// precision of half-type scores; scores are always f32 here.
hlo::decoder_spec spec_of(const json::value &config) {
  auto s = gpt2_like_spec(config, "gpt_bigcode",
                          {.activation = "gelu_pytorch_tanh"});
  if (config.get_bool("multi_query", true))
    s.kv_heads = 1;
  s.position = hlo::position_kind::learned;
  s.qkv_bias = s.output_bias = true;
  expect_bool(config, "scale_attn_weights", true);
  expect_bool(config, "add_cross_attention", false);
  return s;
}

/// Multi-query: all queries, then the one key and the one value head.
tensor_origin one_key_head(const std::string &name, int which,
                           const hlo::decoder_spec &spec) {
  const auto queries = spec.heads * spec.head_dim;
  return {.name = name,
          .first_output =
              which == 0 ? 0 : queries + (which - 1) * spec.head_dim,
          .fused_outputs = queries + 2 * spec.head_dim};
}

tensor_origin origin(const hlo::decoder_spec &spec, std::int64_t layer,
                     const std::string &part) {
  const std::string name = gpt2_like_names().of(spec, layer, part);
  const int which = fused_part(part);
  if (which < 0)
    return {name};
  return spec.kv_heads == 1 && spec.heads > 1
             ? one_key_head(name, which, spec)
             : interleaved_heads(name, which, spec);
}

} // namespace

extern const family gpt_bigcode_family;
const family gpt_bigcode_family = {"gpt_bigcode",
                                   spec_of,
                                   origin,
                                   "transformer.",
                                   {"attn.bias", "attn.masked_bias"}};

} // namespace ganglion::runtime
