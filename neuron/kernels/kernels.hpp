// The fast kernels of the host device: plain functions over raw memory, one
// table of them per instruction set. They know nothing of graphs.
#pragma once

#include "hlo/element_type.hpp"
#include "hlo/support/float_types.hpp"
#include "neuron/cpu/isa.hpp"

#include <cstddef>
#include <cstdint>

namespace ganglion::neuron {

using hlo::element_type;

/// Outputs per weight panel: one sequential stream feeds four 512-bit or eight
/// 256-bit accumulators, enough to hide the latency of a multiply-add.
inline constexpr std::int64_t panel_width = 64;

/// Positions per attention tile; tiles start at multiples of it.
inline constexpr std::int64_t attention_tile = 64;

/// Positions whose keys are scored together: blocks are multiples of it, so
/// that a segment never straddles two.
inline constexpr std::int64_t attention_segment = 16;

/// The widest head that the tile accumulator on the stack takes.
inline constexpr std::int64_t max_head_width = 512;

enum class act { none, silu, gelu_tanh, gelu_erf, relu };

/// The share of a kernel that one thread does: shares split outputs, heads or
/// rows, never a sum.
struct work_share {
  std::int64_t part = 0;
  std::int64_t parts = 1;
};

/// The half-open range of `n` items that belongs to `share`.
struct range {
  std::int64_t begin, end;
};
[[gnu::always_inline]] inline range range_of(std::int64_t n, work_share share) {
  return {n * share.part / share.parts, n * (share.part + 1) / share.parts};
}

/// out[r, n] = f(sum_k x[r, k] w[n, k] + bias[n]); `w` is packed in panels.
/// Each output has one accumulator chain over k in order, so its bits do not
/// depend on `rows` or the share. An s8 weight's sums are multiplied by the
/// scale of their output before the bias, and those of an s8 x, which are exact
/// whole numbers, by the row's scale first. Weights of groups, int4 ones for an
/// s8 x, are as composites/int4_linear.hpp says.
struct linear_args {
  element_type type;                ///< of x
  element_type weight_type;         ///< that of x, or s8
  element_type bias_type;           ///< that of x, or any of floats for an s8 x
  const void *x;                    ///< [rows, k]
  const std::byte *w;               ///< panels, see packing.hpp
  const std::byte *w_gated;         ///< second weight of a gated pair, or null
  const float *scale;               ///< [n] of an s8 weight, or null
  const float *scale_gated;         ///< the same of the second weight
  const float *row_scale;           ///< [rows] of an s8 x, or null
  std::int64_t group;               ///< inputs of a group; 0: there are none
  const float16 *group_scale;       ///< [n / 64][groups][64], or null
  const float16 *group_scale_gated; ///< the same of the second weight
  const std::int32_t *group_sums;   ///< [rows, groups] of x, or null
  const void *bias;                 ///< [n] of `bias_type`, or null
  const void *bias_gated;           ///< [n] of the second product, or null
  void *out;                        ///< [rows, n]
  element_type out_type;
  std::int64_t rows, n, k;
  act activation;
};

/// Rows of `type` to s8 in units of a scale of their own; see
/// composites/int8_linear.hpp.
struct quantise_args {
  element_type type;
  const void *x;      ///< [rows, width]
  const float *scale; ///< [rows]; not read where scales are made
  void *out;          ///< s8 [rows, width], or f32 scales [rows]
  std::int64_t rows, width;
};

/// Sums of an s8 row over groups of inputs, s32 [rows, groups].
struct group_sum_args {
  const std::int8_t *x; ///< [rows, width]
  std::int32_t *out;
  std::int64_t rows, width, group;
};

struct norm_args {
  const float *x;     ///< [rows, width]
  const void *weight; ///< [width] of `type`
  const void *bias;   ///< [width]; null for RMSNorm
  void *out;          ///< [rows, width] of `out_type`
  element_type type, out_type;
  std::int64_t rows, width;
  float eps;
};

struct rotary_args {
  const float *x;     ///< [rows, heads, width]
  const float *table; ///< [rows, 2, half], or null to pass through
  void *out;          ///< [rows, heads, width] of `out_type`
  element_type out_type;
  std::int64_t rows, heads, width, half;
  bool interleaved; ///< pairs are (2 i, 2 i + 1), not (i, i + half)
};

/// Rows of one step over the paged cache; see composites/paged_attention.hpp
/// for shapes.
struct attention_args {
  element_type type;  ///< of the query
  element_type cache; ///< that type, or s8 with scales
  const void *query;  ///< [rows, heads, width]
  const void *keys;   ///< [blocks, kv_heads, width, block]
  const void *values; ///< [blocks, kv_heads, block, width]
  /// [blocks, kv_heads, block] of an s8 cache, or null.
  const float *key_scales, *value_scales;
  const std::int32_t *positions, *row_slots, *block_tables, *context_lengths;
  void *out; ///< [rows, heads * width], or f32 [rows, heads * (width + 2)]
  element_type out_type;
  bool part; ///< leave the division, top and sum to `merge`
  std::int64_t rows, heads, kv_heads, width, block, max_blocks;
  std::int64_t window; ///< positions a row sees, its own included; 0: all
  const float *slopes; ///< [heads] ALiBi, or null
  float scale;
};

/// Parts of attention over different positions; see paged_attention.hpp.
struct merge_args {
  const float *parts; ///< [rows, count, heads, width + 2]
  void *out;          ///< [rows, heads * width] of `out_type`
  element_type out_type;
  std::int64_t rows, heads, width, count;
};

/// Stores rows, or their scales, into a cache, in order; a slot outside the
/// pool is skipped.
struct cache_write_args {
  element_type type;         ///< of the rows
  element_type cache_type;   ///< that type, or s8
  const void *rows_in;       ///< [rows, kv_heads, width]
  const std::int32_t *slots; ///< [rows]
  void *cache;
  std::int64_t rows, kv_heads, width, block, blocks;
};

struct gather_args {
  element_type type; ///< of the table
  const std::int32_t *ids;
  const void *table; ///< [entries, width]
  float *out;        ///< [rows, width]
  std::int64_t rows, width, entries;
};

/// Rounds f32 values to a type, and back to f32 where `widened`.
struct round_args {
  const float *x; ///< [rows, width]
  void *out;      ///< of `type`, or f32
  element_type type;
  bool widened;
  float limit; ///< larger values become it; 0: no limit
  std::int64_t rows, width;
};

struct add_args {
  const float *x, *y;
  const void *bias; ///< [width] of `type`, added to y first; or null
  element_type type;
  float *out; ///< [rows, width]
  std::int64_t rows, width;
};

/// Softmax over the experts of a row; the `chosen` largest are scaled to sum 1,
/// the rest becomes zero.
struct route_args {
  const float *logits; ///< [rows, experts]
  float *gates;        ///< [rows, experts]
  std::int64_t rows, experts, chosen;
};

/// The rows of every expert, one expert after another: places [first[e],
/// first[e + 1]) are expert e's, in order of rows.
struct expert_places {
  std::int32_t *first; ///< [experts + 1]
  std::int32_t *row;   ///< [places]
  float *gate;         ///< [places]
};

/// Finds the places of all rows with a gate that is not zero and copies the
/// rows there.
struct dispatch_args {
  element_type type;  ///< of x and copies
  const void *x;      ///< [rows, width]
  const float *gates; ///< [rows, experts]
  void *copies;       ///< [places, width]
  expert_places to;
  std::int64_t rows, experts, width, places;
};

/// out[r] = sum over the places of row r, in order, of gate * y[place].
struct combine_args {
  const float *y; ///< [places, width]
  expert_places from;
  float *out; ///< [rows, width]
  std::int64_t rows, experts, width;
};

/// What sampling needs of a row of logits: the sum of exp(x - max). It is not
/// a number when a logit is NaN or infinite, and 0 when all are -infinite.
struct vocabulary_scan {
  float max;
  double sum_exp;
};

/// Logits that share one maximum in a list of them.
inline constexpr std::int64_t scan_block = 64;

/// Logits that are scanned at once; rows are cut at multiples of it, so that
/// threads can share a row without changing a bit. A multiple of the block.
inline constexpr std::int64_t scan_part = 4096;

/// The scan of a row from those of its parts, in order.
vocabulary_scan joined_scan(const vocabulary_scan *parts, std::int64_t count);

/// scores = logits / temperature, weights = exp(scores - top); [n] each, and
/// `scores` may be `logits`.
struct weigh_args {
  const float *logits;
  float temperature, top;
  float *scores, *weights;
  std::int64_t n;
};

/// Those of `n` scores that are at most `radius` away from `centre`.
struct mass_args {
  float *scores, *weights;
  std::int64_t n;
  float centre, radius;
};

/// What lies within each of several radii.
struct nested_masses {
  static constexpr int radii = 8;
  double mass[radii];
  std::int64_t count[radii];
};

/// The kernels of one instruction set.
struct kernel_set {
  isa set;
  void (*linear)(const linear_args &, work_share);
  void (*norm)(const norm_args &, work_share);
  void (*rotary)(const rotary_args &, work_share);
  void (*round)(const round_args &, work_share);
  void (*row_scales)(const quantise_args &, work_share);
  void (*quantise_rows)(const quantise_args &, work_share);
  void (*group_sums)(const group_sum_args &, work_share);
  void (*attention)(const attention_args &, work_share);
  void (*merge)(const merge_args &, work_share);
  void (*write_keys)(const cache_write_args &, work_share);
  void (*write_values)(const cache_write_args &, work_share);
  void (*write_scales)(const cache_write_args &, work_share);
  void (*gather)(const gather_args &, work_share);
  void (*add)(const add_args &, work_share);
  /// Also writes the maximum of every block.
  vocabulary_scan (*scan)(const float *, std::int64_t n, float *block_max);
  /// Returns the sum of the weights.
  double (*weigh)(const weigh_args &);
  /// The weights at most `radii[j]` away from the centre: their sums and how
  /// many they are. The radius of the arguments is not read.
  nested_masses (*masses_within)(const mass_args &, const float *radii);
  /// The sum of the weights within the radius; whatever is outside becomes
  /// -infinite and weighs nothing.
  double (*mask_outside)(const mass_args &);
  /// The sum of weight * (score - centre).
  double (*moment)(const mass_args &);
  /// Writes the places farther than `inner` and at most the radius away from
  /// the centre, ascending; returns how many.
  std::int64_t (*places_within)(const mass_args &, float inner,
                                std::int32_t *places);
  /// The first i >= first whose 1 - u is less than weights[i] * bound, where u
  /// is the uniform number of token i under `key`; n if there is none.
  std::int64_t (*first_contender)(const float *weights, std::int64_t first,
                                  std::int64_t n, std::uint64_t key,
                                  double bound);
  void (*route)(const route_args &, work_share);
  void (*dispatch)(const dispatch_args &, work_share);
  void (*combine)(const combine_args &, work_share);
};

/// The kernels for `set`, which the machine must have.
const kernel_set &kernels_for(isa set);

} // namespace ganglion::neuron
