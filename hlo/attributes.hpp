// Everything an instruction carries besides its operands: plain data, of which
// each opcode uses the part it needs.
#pragma once

#include "hlo/literal.hpp"
#include "hlo/opcode.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ganglion::hlo {

class computation;

/// Contracting and batch dimensions of `dot` (XLA DotDimensionNumbers).
struct dot_dims {
  dims lhs_contracting, rhs_contracting, lhs_batch, rhs_batch;
  friend bool operator==(const dot_dims &, const dot_dims &) = default;
};

/// XLA GatherDimensionNumbers.
struct gather_dims {
  dims offset_dims, collapsed_slice_dims, start_index_map;
  std::int64_t index_vector_dim = 0;
  dims slice_sizes;
  /// Dimensions that operand and indices share, one for one.
  dims operand_batching_dims = {}, start_indices_batching_dims = {};
  friend bool operator==(const gather_dims &, const gather_dims &) = default;
};

/// XLA ScatterDimensionNumbers.
struct scatter_dims {
  dims update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims;
  std::int64_t index_vector_dim = 0;
  /// Dimensions that operand and indices share, one for one.
  dims input_batching_dims = {}, scatter_indices_batching_dims = {};
  friend bool operator==(const scatter_dims &, const scatter_dims &) = default;
};

/// Per-dimension padding of `pad`.
struct padding_dim {
  std::int64_t low = 0, high = 0, interior = 0;
  friend bool operator==(const padding_dim &, const padding_dim &) = default;
};

/// One dimension of a `reduce-window`.
struct window_dim {
  std::int64_t size = 1, stride = 1, pad_low = 0, pad_high = 0;
  friend bool operator==(const window_dim &, const window_dim &) = default;
};

struct attributes {
  /// broadcast, transpose, reduce, concatenate, reverse, sort, iota,
  /// all-gather, all-to-all, reduce-scatter
  dims dimensions;
  dims slice_starts, slice_limits, slice_strides;
  dims dynamic_slice_sizes;
  std::vector<padding_dim> padding;
  dot_dims dot;
  gather_dims gather;
  scatter_dims scatter;
  std::vector<window_dim> window;
  comparison direction = comparison::eq;
  /// `compare` of floats by sign and magnitude: -NaN < -0 < +0 < NaN.
  bool total_order = false;
  bool is_stable = false;
  std::int64_t parameter_number = 0;
  std::int64_t tuple_index = 0;
  double epsilon = 0; ///< batch-norm-training, exact in f32
  std::int64_t feature_index = 0;
  random_distribution distribution = random_distribution::uniform;
  /// The value of a constant, shared between copies of the instruction.
  std::shared_ptr<const literal> value;
  /// reduce, scatter, sort, call, all-reduce: [to_apply]; while: [condition,
  /// body]; conditional: its branches.
  std::vector<computation *> called;
  /// A `call` that stands for a named operation; see composite.hpp.
  bool is_composite = false;
  std::map<std::string, std::string> frontend;
  std::vector<dims> replica_groups;
  std::int64_t channel_id = 0;
};

} // namespace ganglion::hlo
