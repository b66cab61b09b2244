// How a decoder is split over the ranks of a tensor-parallel group: which
// heads, MLP columns and vocabulary rows each rank computes.
#pragma once

#include "hlo/decoder/sharding_options.hpp"
#include "hlo/shape.hpp"

namespace ganglion::hlo {

/// The per-rank sizes and the head assignment of resolved sharding options.
/// MLP and vocabulary are padded to a multiple of the degree, and so are the
/// query heads: at the end, or after each KV head's query heads where every
/// group needs as many. Index lists have -1 for padding.
class placement {
public:
  /// `options` as `resolve_sharding` gives them for the spec.
  placement(const decoder_spec &spec, const sharding_options &options);

  std::int64_t tp_degree() const { return options_.tp_degree; }
  const sharding_options &options() const { return options_; }

  // Per rank:
  std::int64_t heads() const { return heads_; } ///< query heads projected
  std::int64_t kv_columns() const { return kv_columns_; } ///< of keys projected
  std::int64_t attended_heads() const { return attended_; }
  std::int64_t kv_heads() const { return kv_heads_; } ///< in its cache
  std::int64_t mlp() const { return mlp_; }
  std::int64_t vocabulary() const { return vocabulary_; }
  std::int64_t experts() const { return experts_; } ///< of a layer

  /// Ranks that share a KV head: they gather its parts, or keep parts of its
  /// positions. Their numbers follow each other.
  std::int64_t ranks_of_kv_head() const { return kv_group_; }
  /// Ranks that a sequence's positions are spread over, 1 for all in one.
  std::int64_t stripes() const {
    return options_.shard_over_sequence ? kv_group_ : 1;
  }
  /// Parts that sequences are dealt to, each with its rank's pool.
  std::int64_t kv_partitions() const {
    return options_.strategy == group_query::shard_over_batch
               ? options_.tp_degree
               : 1;
  }

  /// The model's query head behind each of the rank's.
  std::vector<std::int64_t> heads_of(std::int64_t rank) const;
  /// The model's KV column behind each that the rank projects.
  std::vector<std::int64_t> kv_columns_of(std::int64_t rank) const;

private:
  bool pads_groups() const;
  std::vector<std::int64_t> head_order() const;
  std::vector<std::int64_t> kv_order() const;
  std::int64_t heads_sharing() const;
  void place_keys();

  const std::int64_t all_heads_, all_kv_heads_, head_dim_;
  sharding_options options_;
  std::int64_t heads_ = 0, kv_columns_ = 0, attended_ = 0, kv_heads_ = 0;
  std::int64_t kv_group_ = 1, mlp_ = 0, vocabulary_ = 0, experts_ = 0;
  std::int64_t sharing_ = 1; ///< consecutive query heads with one KV head
};

/// Ranks in groups of `size` that follow each other, as replica groups.
std::vector<dims> consecutive_groups(std::int64_t ranks, std::int64_t size);

} // namespace ganglion::hlo
