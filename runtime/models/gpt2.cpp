// GPT-2 (HuggingFace GPT2LMHeadModel).
#include "runtime/models/gpt2_like.hpp"

namespace ganglion::runtime {

namespace {

hlo::decoder_spec spec_of(const json::value &config) {
  auto s = gpt2_like_spec(config, "gpt2");
  s.position = hlo::position_kind::learned;
  s.qkv_bias = s.output_bias = true;
  expect_bool(config, "scale_attn_weights", true);
  expect_bool(config, "scale_attn_by_inverse_layer_idx", false);
  return s;
}

tensor_origin origin(const hlo::decoder_spec &spec, std::int64_t layer,
                     const std::string &part) {
  tensor_origin o{gpt2_like_names().of(spec, layer, part)};
  // Conv1D keeps weights [in, out], queries, keys and values side by side.
  o.transposed = layer >= 0 && part.find("norm") == std::string::npos;
  if (const int which = fused_part(part); which >= 0) {
    o.first_output = which * spec.hidden;
    o.fused_outputs = 3 * spec.hidden;
  }
  return o;
}

} // namespace

extern const family gpt2_family;
const family gpt2_family = {
    "gpt2", spec_of, origin, "transformer.", {"attn.bias", "attn.masked_bias"}};

} // namespace ganglion::runtime
