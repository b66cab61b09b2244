// How a decoder is split over the ranks of a tensor-parallel group: which
// heads, MLP columns and vocabulary rows each rank computes.
#pragma once

#include "hlo/decoder/spec.hpp"

namespace ganglion::hlo {

/// The per-rank sizes and head assignment of one tensor-parallel degree.
/// MLP and vocabulary are padded to a multiple of the degree.
class placement {
public:
  /// Throws `invalid_argument` (field tensor_parallel_degree) when `tp_degree`
  /// does not divide the attention heads, naming the degrees that do.
  placement(const decoder_spec &spec, std::int64_t tp_degree);

  std::int64_t tp_degree() const { return tp_degree_; }
  std::int64_t heads() const { return heads_; }           ///< per rank
  std::int64_t kv_heads() const { return kv_heads_; }     ///< per rank
  std::int64_t mlp() const { return mlp_; }               ///< per rank, padded
  std::int64_t vocabulary() const { return vocabulary_; } ///< same

  /// The model's KV head behind each KV head of `rank`. Fewer KV heads than
  /// ranks are replicated; where a rank's query heads would share KV heads
  /// unevenly, each query head gets its own copy.
  std::vector<std::int64_t> kv_heads_of(std::int64_t rank) const;

private:
  std::int64_t tp_degree_, heads_, kv_heads_, mlp_, vocabulary_;
  std::int64_t group_; ///< query heads per KV head of the model
};

} // namespace ganglion::hlo
