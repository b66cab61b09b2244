// The graph of one step of one rank: a flat list of token rows through all
// layers, serving prefill, chunks, decode and any mix of them.
#pragma once

#include "hlo/composites/views.hpp"
#include "hlo/decoder/graph_options.hpp"
#include "hlo/decoder/placement.hpp"
#include "hlo/module.hpp"

#include <memory>
#include <optional>
#include <span>

namespace ganglion::hlo {

/// Parameter numbers of a step graph's inputs; caches and weights follow.
enum step_input : std::int64_t {
  live_rows,       ///< s32 [2]: live token rows, live logit rows
  token_ids,       ///< s32 [T]
  positions,       ///< s32 [T]
  rotary_lengths,  ///< s32 [T]; max(prompt, position + 1), for dynamic rope
  row_slots,       ///< s32 [T]
  write_slots,     ///< s32 [T]; block * positions + offset, or past the pool
  last_seen,       ///< s32 [T]; of the positions in this rank's cache, or -1
  block_tables,    ///< s32 [S, max_blocks]
  context_lengths, ///< s32 [S]; positions in this rank's cache
  logit_rows,      ///< s32 [R]
  step_input_count
};

/// How a weight is split over the ranks.
enum class split {
  none,       ///< every rank has the whole
  heads,      ///< dimension 0 by query heads
  per_head,   ///< dimension 0 by query heads, one element each
  kv_heads,   ///< dimension 0 by KV columns, as `placement` says
  mlp,        ///< dimension 0 by MLP columns, padded
  vocabulary, ///< dimension 0 by vocabulary, padded
  heads_in,   ///< dimension 1 by query heads
  mlp_in,     ///< dimension 1 by MLP columns, padded
  experts,    ///< whole, but every rank has another expert's
};

/// How the elements of a weight parameter follow from the model's.
enum class weight_form {
  plain,     ///< rounded to the graph's storage type
  quantised, ///< s8, in units of the scale of each output
  scale,     ///< f32 scale of each output of the weight that it follows
  grouped,   ///< s8 from -7 to 7, in units of the scale of each group of inputs
  /// f16 scale of each output's groups of inputs of the weight that it follows;
  /// of inputs that are split, each rank's own are grouped.
  group_scale,
};

/// One weight of the step graph, in parameter order.
struct weight_parameter {
  std::string name; ///< ours, e.g. "layers.3.attention.query.weight"
  dims whole;       ///< dimensions in the model; a group_scale's: its weight's
  split placed = split::none;
  /// Elements that follow from the spec and are in no checkpoint; such a
  /// weight stays f32. Empty: the checkpoint has them.
  std::vector<float> values = {};
  std::int64_t parameter_number = 0;
  std::int64_t expert = -1; ///< which of its layer's it belongs to; -1: none
  weight_form form = weight_form::plain;
  std::int64_t group = 0;      ///< inputs of a group, where there are groups
  tiling tiles = tiling::none; ///< of its parameter
  /// The model's weights whose outputs follow each other in this one; none: it
  /// is the model's.
  std::vector<weight_parameter> parts = {};

  std::span<const weight_parameter> pieces() const {
    return parts.empty() ? std::span(this, 1) : std::span(parts);
  }
  /// Whether it comes with the weight before it.
  bool is_scale() const {
    return form == weight_form::scale || form == weight_form::group_scale;
  }
  /// Its type in a graph of storage type `t`.
  element_type type_in(element_type t) const {
    if (form == weight_form::quantised || form == weight_form::grouped)
      return element_type::s8;
    if (form == weight_form::group_scale)
      return element_type::f16;
    return form == weight_form::scale || !values.empty() ? element_type::f32
                                                         : t;
  }
  /// Bytes of an element of `whole` in memory, in such a graph.
  double element_bytes(element_type t) const {
    const auto size = static_cast<double>(byte_size(type_in(t)));
    return form == weight_form::grouped ? size / 2
           : form == weight_form::group_scale
               ? size / static_cast<double>(group)
               : size;
  }
};

/// What of a step is in a graph. Parts have all parameters of the whole and
/// after them the residual stream f32 [T, H], which they read or leave behind;
/// layers stand for any as many: their parameters are those of the first.
enum class step_part {
  whole,
  inputs,  ///< what comes before the layers
  layers,  ///< the first `unroll` layers
  outputs, ///< what comes after them
};

/// A step graph and what its parameters mean. Output 0 is logits f32
/// [R, vocabulary], the same on every rank, or the stream, aliased to its
/// parameter; outputs 1.. are the caches of the layers in it, each aliased to
/// its parameter.
struct step_graph {
  std::unique_ptr<module> graph;
  std::vector<std::int64_t> cache_parameters; ///< as `layer_caches`, per layer
  std::vector<weight_parameter> weights;
  /// The table that the host looks rows up in for the f32 parameter of its
  /// number, [T, width]; nothing: it is among the weights.
  std::optional<weight_parameter> host_embedding;
  std::int64_t stream_parameter = -1; ///< of a part
};

/// Builds the graph. All ranks share it: what differs between ranks is in the
/// weights. Throws `invalid_argument` for sizes that do not fit together.
step_graph build_step_graph(const decoder_spec &spec,
                            const graph_options &options,
                            step_part part = step_part::whole);

/// Dimensions of a rank's part of a weight, as its parameter has them.
dims placed_dims(const weight_parameter &w, const placement &local,
                 std::int64_t head_dim);

/// The weights of a decoder without building its graph, in parameter order but
/// without numbers. A quantised weight "X.weight" is followed by its scales,
/// "X.weight_scale".
std::vector<weight_parameter>
decoder_weights(const decoder_spec &spec,
                const weight_quantisation &quantize = {});

/// The weights that a rank has, likewise. Where experts are
/// distributed, those of rank 0; `place_weight` finds the other ranks'.
std::vector<weight_parameter>
weights_of_rank(const decoder_spec &spec, const sharding_options &sharding,
                const weight_quantisation &quantize = {});

/// The same weights with each layer's attention.{query,key,value}.X joined into
/// one attention.qkv.X.
std::vector<weight_parameter> fused_qkv(std::vector<weight_parameter> weights);

/// The name of the same weight of another expert of its layer.
std::string name_for_expert(const weight_parameter &w, std::int64_t expert);

/// A cache of one layer.
struct cache_parameter {
  std::string name; ///< "key_cache"
  shape form;       ///< of the parameter
  /// Its dimensions in the order that kernels see: blocks, heads, then d and
  /// positions for keys, positions and d for values.
  dims order;
};

/// The caches of one layer and rank: keys, values and, of quantised ones, the
/// scales of both.
std::vector<cache_parameter> layer_caches(const decoder_spec &spec,
                                          const graph_options &options);

} // namespace ganglion::hlo
