// Builds one computation, checking shapes as it goes: the way graphs are
// written.
#pragma once

#include "hlo/module.hpp"

#include <span>
#include <string>

namespace ganglion::hlo {

/// A value under construction: the instruction that produces it.
using value = instruction *;

/// Appends to one computation of a module. Not thread-safe. Every method
/// throws `invalid_argument` when shapes do not fit.
class builder {
public:
  /// Starts a new computation called `name`.
  builder(module &owner, std::string name);

  module &owner() { return owner_; }
  computation *target() { return computation_; }
  /// Sets the root and returns the computation.
  computation *build(value root);

  value parameter(std::int64_t number, shape s, std::string name);
  value constant(literal v);
  value constant_s32(std::int32_t v);
  /// A scalar of floating `type`.
  value constant_real(element_type type, double v);
  value iota(shape s, std::int64_t dimension);
  value partition_id();

  value unary(opcode op, value x);
  value binary(opcode op, value x, value y);
  value add(value x, value y) { return binary(opcode::add, x, y); }
  value subtract(value x, value y) { return binary(opcode::subtract, x, y); }
  value multiply(value x, value y) { return binary(opcode::multiply, x, y); }
  value divide(value x, value y) { return binary(opcode::divide, x, y); }
  value maximum(value x, value y) { return binary(opcode::maximum, x, y); }
  value compare(comparison direction, value x, value y);
  value select(value which, value on_true, value on_false);
  value clamp(value low, value x, value high);
  /// No instruction when `x` has the type already.
  value convert(value x, element_type type);
  value bitcast_convert(value x, element_type type);

  value broadcast(value x, dims to, dims dimensions);
  /// A scalar spread over `to`.
  value broadcast_scalar(value x, dims to) { return broadcast(x, to, {}); }
  /// A scalar constant of `like`'s type spread over its dimensions.
  value filled_like(value like, double v);
  value reshape(value x, dims to);
  value transpose(value x, dims permutation);
  value slice(value x, dims starts, dims limits);
  value slice_in_dim(value x, std::int64_t dimension, std::int64_t start,
                     std::int64_t limit);
  value concatenate(std::span<const value> parts, std::int64_t dimension);
  value reverse(value x, dims dimensions);
  value pad(value x, value filler, std::vector<padding_dim> padding);
  value dynamic_slice(value x, std::span<const value> starts, dims sizes);
  value dynamic_update_slice(value x, value update,
                             std::span<const value> starts);
  value gather(value x, value indices, gather_dims d);
  /// `combiner` is binary over scalars; the first argument is the old value.
  value scatter(value x, value indices, value updates, scatter_dims d,
                computation *combiner);
  /// Rows of a [N, ...] by s32 `indices` [T]: [T, ...].
  value gather_rows(value x, value indices);

  /// `x` normalised along all dimensions but `feature`, its means and its
  /// variances, as a tuple; `scale` and `offset` have an element per feature.
  value batch_norm_training(value x, value scale, value offset, float epsilon,
                            std::int64_t feature);
  /// Numbers from [low, high), other ones for every call on this module but
  /// the same in every run.
  value rng_uniform(value low, value high, dims to);

  value dot(value x, value y, dot_dims d, element_type accumulate);
  /// `x` [M, K] by `y` [N, K] transposed: [M, N] in f32.
  value dot_transposed(value x, value y);
  value reduce(value x, value init, dims dimensions, computation *combiner);
  /// Reduction over `dimensions` by `op` (add, maximum, ...) starting from
  /// `init`.
  value reduce(opcode op, value x, double init, dims dimensions);
  value reduce_window(value x, value init, std::vector<window_dim> window,
                      computation *combiner);
  value sort(std::span<const value> keys, std::int64_t dimension,
             bool is_stable, computation *comparator);

  value call(computation *callee, std::span<const value> operands);
  value tuple(std::span<const value> elements);
  value get_tuple_element(value x, std::int64_t index);
  value while_loop(computation *condition, computation *body, value init);
  value conditional(value selector, std::span<const value> operands,
                    std::span<computation *const> branches);

  /// Collectives: no groups stands for all partitions of the module, whose
  /// number is set before.
  value all_reduce(value x, std::vector<dims> groups);
  value all_gather(value x, std::int64_t dimension, std::vector<dims> groups);
  value reduce_scatter(value x, std::int64_t dimension,
                       std::vector<dims> groups);
  value all_to_all(value x, std::int64_t dimension, std::vector<dims> groups);

  /// A binary computation over scalars of `type`, shared within the module.
  computation *scalar_computation(opcode op, element_type type);

  /// Appends any operation; shapes are inferred.
  value append(opcode op, std::vector<value> operands, attributes attrs,
               const shape &wanted = {}, std::string name = {});

private:
  value collective(opcode op, value x, dims dimensions,
                   std::vector<dims> groups);

  module &owner_;
  computation *computation_;
};

} // namespace ganglion::hlo
