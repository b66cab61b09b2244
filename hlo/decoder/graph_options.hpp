// The fixed shapes that a step graph is compiled for, and the form it takes.
#pragma once

#include "hlo/decoder/quantisation.hpp"
#include "hlo/decoder/sharding_options.hpp"

namespace ganglion::hlo {

/// How hidden states lie: [T, H] or [H, T].
enum class hidden_layout { bsh, hsb };

/// How caches lie: block positions first, or blocks.
enum class kv_layout { sbh, bsh };

/// Options that change the form of a graph and, but for its two roundings, not
/// what it computes.
struct graph_form {
  /// In attention, and where ranks reduce. The host's compiler moves the
  /// transposes out of the way.
  hidden_layout attention_layout = hidden_layout::hsb;
  hidden_layout collectives_layout = hidden_layout::hsb;
  /// What partial sums, and logits, are rounded to.
  element_type all_reduce_type = element_type::f32;
  element_type logits_type = element_type::f32;
  /// Rounding to the storage type gives no infinities.
  bool saturate_infinity = false;
  /// Sums that leave a product in f32 keep that precision; else they are
  /// rounded to the storage type.
  bool mixed_precision_accumulation = true;
  /// Ranks keep a part of the rows each between products where a step has
  /// more rows than this; 0: never.
  std::int64_t sequence_parallel_threshold = 0;
  /// One product makes the queries, keys and values of a row, side by side.
  bool fuse_qkv = false;
  /// The graph takes token ids; else rows of the embedding, which the host
  /// looks up.
  bool on_device_embedding = true;
  /// [block positions, blocks, KV heads, d] or [blocks, block positions, ...].
  kv_layout cache_layout = kv_layout::sbh;
  /// The fused weight of queries, keys and values is cut into tiles of outputs.
  bool qkv_tiling = false;
  /// The other matrices of layers are cut into tiles both ways.
  bool weight_tiling = false;
  /// Layers in the graph that is run for as many of them at a time; 0: all are
  /// in one graph.
  std::int64_t unroll = 0;
};

struct graph_options {
  element_type type = element_type::f32; ///< of matmul inputs and KV caches
  weight_quantisation quantize;
  cache_quantisation cache = cache_quantisation::none;
  sharding_options sharding{1, group_query::shard_over_heads};
  std::int64_t rows = 64;       ///< T, token rows
  std::int64_t logit_rows = 32; ///< R, rows whose logits are wanted
  std::int64_t slots = 32;      ///< S, sequences that may take part
  std::int64_t block_positions = 32;
  std::int64_t blocks = 0;     ///< of the KV pool
  std::int64_t max_blocks = 0; ///< of one sequence's block table
  graph_form form;
};

} // namespace ganglion::hlo
