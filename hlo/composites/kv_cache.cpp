#include "hlo/composites/kv_cache.hpp"

#include <array>

namespace ganglion::hlo {

namespace {

/// Slots [T] as (block, offset) pairs [T, 2].
value split_slots(builder &b, value slots, std::int64_t block_positions) {
  const value size = b.filled_like(slots, static_cast<double>(block_positions));
  const auto rows = slots->form.dim(0);
  const value block = b.reshape(b.divide(slots, size), {rows, 1});
  const value offset =
      b.reshape(b.binary(opcode::remainder, slots, size), {rows, 1});
  return b.concatenate(std::array{block, offset}, 1);
}

/// A binary computation that returns its second argument.
computation *overwrite(builder &b, element_type type) {
  const std::string name = "overwrite_" + std::string(to_string(type));
  if (computation *shared = b.owner().find_computation(name))
    return shared;
  builder inner(b.owner(), name);
  inner.parameter(0, scalar_shape(type), "old");
  return inner.build(inner.parameter(1, scalar_shape(type), "new"));
}

/// f32 [T, heads]: the unit in which an s8 cache keeps each head's row.
value scales_of(builder &b, value rows) {
  const value x = b.convert(rows, element_type::f32);
  const value most =
      b.reduce(opcode::maximum, b.unary(opcode::abs, x), 0.0, {2});
  return b.divide(most, b.filled_like(most, 127.0));
}

value quantised(builder &b, value rows) {
  const value x = b.convert(rows, element_type::f32);
  const value scale =
      b.broadcast(scales_of(b, rows), x->form.dimensions, {0, 1});
  const value zero = b.filled_like(x, 0.0);
  const value units = b.select(b.compare(comparison::gt, scale, zero),
                               b.divide(x, scale), zero);
  const value whole = b.unary(opcode::round_nearest_even, units);
  return b.convert(
      b.clamp(b.filled_like(x, -127.0), whole, b.filled_like(x, 127.0)),
      element_type::s8);
}

value write(builder &b, const char *name, value rows, value slots, value cache,
            std::int64_t position_dim) {
  return composite(b, name, {}, std::array{rows, slots, cache},
                   [&](builder &body, std::span<const value> p) {
                     scatter_dims d;
                     d.update_window_dims = {1, 2};
                     d.inserted_window_dims = {0, position_dim};
                     d.scatter_dims_to_operand_dims = {0, position_dim};
                     d.index_vector_dim = 1;
                     const auto type = p[2]->form.type;
                     const value kept = type == element_type::s8
                                            ? quantised(body, p[0])
                                            : p[0];
                     return body.scatter(
                         p[2],
                         split_slots(body, p[1], p[2]->form.dim(position_dim)),
                         kept, std::move(d), overwrite(body, type));
                   });
}

} // namespace

value write_keys(builder &b, value keys, value slots, value cache) {
  return write(b, "write_keys", keys, slots, cache, 3);
}

value write_values(builder &b, value values, value slots, value cache) {
  return write(b, "write_values", values, slots, cache, 2);
}

value write_scales(builder &b, value rows, value slots, value scales) {
  return composite(b, "write_scales", {}, std::array{rows, slots, scales},
                   [](builder &body, std::span<const value> p) {
                     scatter_dims d;
                     d.update_window_dims = {1};
                     d.inserted_window_dims = {0, 2};
                     d.scatter_dims_to_operand_dims = {0, 2};
                     d.index_vector_dim = 1;
                     return body.scatter(
                         p[2], split_slots(body, p[1], p[2]->form.dim(2)),
                         scales_of(body, p[0]), std::move(d),
                         overwrite(body, element_type::f32));
                   });
}

} // namespace ganglion::hlo
