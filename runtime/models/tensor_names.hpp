// The usual shape of checkpoint names: one table for weights outside layers,
// one for the pieces of a layer.
#pragma once

#include "runtime/models/family.hpp"

#include <map>
#include <string>

namespace ganglion::runtime {

/// Names of one family's tensors; ours on the left, the checkpoint's on the
/// right, both without ".weight" and ".bias".
struct tensor_names {
  std::map<std::string, std::string> outside;
  std::string layer_prefix; ///< before the layer's number
  std::map<std::string, std::string> inside;

  /// The checkpoint's name of `part`; a tied head is the token embedding.
  /// Throws `internal` for a part that the tables lack.
  std::string of(const hlo::decoder_spec &spec, std::int64_t layer,
                 const std::string &part) const;
};

/// The number of queries (0), keys (1) and values (2) among the parts of a
/// fused product, or -1 for other weights; `part` as in `origin_rule`.
int fused_part(const std::string &part);

/// Fused tensors with the rows of every head together, [q, k, v] each:
/// GPT-NeoX, BLOOM, multi-head GPT-BigCode.
tensor_origin interleaved_heads(const std::string &name, int which,
                                const hlo::decoder_spec &spec);

/// The origin rule of a family whose names are `names` and whose queries, keys
/// and values are such a tensor.
tensor_origin interleaved_origin(const tensor_names &names,
                                 const hlo::decoder_spec &spec,
                                 std::int64_t layer, const std::string &part);

} // namespace ganglion::runtime
