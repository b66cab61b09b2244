// What a model family is: how its HuggingFace config becomes a decoder spec,
// and under which names its checkpoint keeps the weights.
#pragma once

#include "hlo/decoder/spec.hpp"
#include "runtime/json/reader.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// Where a weight of the step graph stands in a checkpoint.
struct tensor_origin {
  std::string name;
  /// Stored [in, out] (GPT-2's Conv1D) instead of [out, in].
  bool transposed = false;
  /// First output of the weight inside a fused tensor, and how many outputs
  /// the fused tensor has; 0: not fused.
  std::int64_t first_output = 0;
  std::int64_t fused_outputs = 0;
  /// From one head's outputs to the next one's where the heads of a fused
  /// tensor do not stand next to each other; 0: they do.
  std::int64_t head_stride = 0;
};

/// Where the weight called `part` is, e.g. "attention.query.weight" of `layer`
/// (-1 for weights outside layers).
using origin_rule = tensor_origin (*)(const hlo::decoder_spec &spec,
                                      std::int64_t layer,
                                      const std::string &part);

/// One file under models/ defines each.
struct family {
  std::string model_type; ///< of config.json
  hlo::decoder_spec (*spec_of)(const json::value &config);
  origin_rule origin;
  /// Prefix that some checkpoints leave out ("transformer.").
  std::string base_prefix;
  /// Suffixes of saved buffers that are no weights.
  std::vector<std::string> ignored_suffixes;
  /// Name of a head that is stored, which a tied one may be all the same.
  std::string head = "lm_head.weight";
  /// Where config.json keeps the base of the rotary frequencies; empty where
  /// it cannot be set.
  std::string theta_field = "rope_theta";
};

/// The family for config.json's model_type; throws `unsupported` naming the
/// type and all that are supported.
const family &family_of(const json::value &config);

} // namespace ganglion::runtime
