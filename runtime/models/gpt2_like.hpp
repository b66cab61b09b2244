// What GPT-2, GPT-BigCode and GPT-J have in common: config fields by OpenAI's
// names, and the names of tensors.
#pragma once

#include "runtime/models/config_fields.hpp"
#include "runtime/models/tensor_names.hpp"

namespace ganglion::runtime {

/// Where a family's config leaves a field out.
struct gpt2_like_defaults {
  std::int64_t n_positions = 1024;
  std::string activation = "gelu_new";
  bool tied_head = true;
};

/// Sizes, LayerNorm, plain MLP with biases, heads with keys of their own.
hlo::decoder_spec gpt2_like_spec(const json::value &config,
                                 const std::string &family,
                                 const gpt2_like_defaults &defaults = {});

/// Names where queries, keys and values are one product, c_attn.
const tensor_names &gpt2_like_names();

} // namespace ganglion::runtime
