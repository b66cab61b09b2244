// How a host wants a decoder split over the ranks of a tensor-parallel group,
// and what of it the model permits.
#pragma once

#include "hlo/decoder/spec.hpp"

#include <optional>
#include <string_view>

namespace ganglion::hlo {

/// Where keys and values live when queries share them (transformers-neuronx's
/// GQA): the first two are chosen by the model's shape when nothing is asked.
enum class group_query {
  automatic,
  shard_over_heads, ///< whole KV heads on the rank with their query heads
  replicated_heads, ///< KV heads copied so that every rank has whole ones
  shard_over_batch, ///< a rank keeps all heads of its share of the sequences
  all_gather_heads, ///< ranks project parts of a KV head and gather it
};

std::string_view to_string(group_query g);
std::optional<group_query> group_query_from(std::string_view text);

/// How ranks share the experts of a layer.
enum class expert_sharding {
  split,       ///< every rank has a share of every expert's columns, padded
  distributed, ///< every rank has whole experts, as many as any other
};

struct sharding_options {
  std::int64_t tp_degree = 1;
  group_query strategy = group_query::automatic;
  /// The KV positions of a sequence are spread over the ranks of a KV head
  /// (flash decoding).
  bool shard_over_sequence = false;
  /// A degree that does not divide the heads gets heads of zeros.
  bool pad_heads = false;
  expert_sharding experts = expert_sharding::split;
};

/// What is possible of `wanted` with `slots` sequences: never `automatic`.
/// Every departure is told in `notes`. Throws `invalid_argument` (field
/// tensor_parallel_degree) for a degree that the heads do not permit, or (field
/// expert_sharding) for one that does not divide distributed experts.
sharding_options resolve_sharding(const decoder_spec &spec,
                                  const sharding_options &wanted,
                                  std::int64_t slots,
                                  std::vector<std::string> &notes);

/// Whole heads as the model's shape has it, without padding; throws as
/// `resolve_sharding` does.
sharding_options plain_sharding(const decoder_spec &spec,
                                std::int64_t tp_degree);

} // namespace ganglion::hlo
