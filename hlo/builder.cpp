#include "hlo/builder.hpp"

#include "hlo/shape_inference.hpp"

namespace ganglion::hlo {

builder::builder(module &owner, std::string name)
    : owner_(owner),
      computation_(owner.add_computation(std::move(name))) {}

computation *builder::build(value root) {
  computation_->set_root(root);
  return computation_;
}

value builder::append(opcode op, std::vector<value> operands, attributes attrs,
                      const shape &wanted, std::string name) {
  std::vector<const shape *> shapes;
  for (const value v : operands)
    shapes.push_back(&v->form);
  shape out = infer_shape(op, shapes, attrs, wanted);
  return computation_->append(op, std::move(out), std::move(operands),
                              std::move(attrs), std::move(name));
}

value builder::parameter(std::int64_t number, shape s, std::string name) {
  attributes a;
  a.parameter_number = number;
  return append(opcode::parameter, {}, std::move(a), s, std::move(name));
}

value builder::constant(literal v) {
  attributes a;
  const shape s = v.form();
  a.value = std::make_shared<const literal>(std::move(v));
  return append(opcode::constant, {}, std::move(a), s);
}

value builder::constant_s32(std::int32_t v) {
  return constant(literal::scalar(element_type::s32, v));
}

value builder::constant_real(element_type type, double v) {
  return constant(literal::scalar(type, v));
}

value builder::iota(shape s, std::int64_t dimension) {
  attributes a;
  a.dimensions = {dimension};
  return append(opcode::iota, {}, std::move(a), s);
}

value builder::partition_id() { return append(opcode::partition_id, {}, {}); }

value builder::unary(opcode op, value x) { return append(op, {x}, {}); }

value builder::binary(opcode op, value x, value y) {
  return append(op, {x, y}, {});
}

value builder::compare(comparison direction, value x, value y) {
  attributes a;
  a.direction = direction;
  return append(opcode::compare, {x, y}, std::move(a));
}

value builder::select(value which, value on_true, value on_false) {
  return append(opcode::select, {which, on_true, on_false}, {});
}

value builder::clamp(value low, value x, value high) {
  return append(opcode::clamp, {low, x, high}, {});
}

value builder::convert(value x, element_type type) {
  if (x->form.type == type)
    return x;
  return append(opcode::convert, {x}, {}, scalar_shape(type));
}

value builder::bitcast_convert(value x, element_type type) {
  return append(opcode::bitcast_convert, {x}, {}, scalar_shape(type));
}

value builder::broadcast(value x, dims to, dims dimensions) {
  attributes a;
  a.dimensions = std::move(dimensions);
  return append(opcode::broadcast, {x}, std::move(a),
                array_shape(x->form.type, std::move(to)));
}

value builder::filled_like(value like, double v) {
  return broadcast_scalar(constant_real(like->form.type, v),
                          like->form.dimensions);
}

value builder::reshape(value x, dims to) {
  return append(opcode::reshape, {x}, {},
                array_shape(x->form.type, std::move(to)));
}

value builder::transpose(value x, dims permutation) {
  attributes a;
  a.dimensions = std::move(permutation);
  return append(opcode::transpose, {x}, std::move(a));
}

value builder::slice(value x, dims starts, dims limits) {
  attributes a;
  a.slice_strides = dims(starts.size(), 1);
  a.slice_starts = std::move(starts);
  a.slice_limits = std::move(limits);
  return append(opcode::slice, {x}, std::move(a));
}

value builder::slice_in_dim(value x, std::int64_t dimension, std::int64_t start,
                            std::int64_t limit) {
  dims starts(x->form.dimensions.size(), 0);
  dims limits = x->form.dimensions;
  starts[dimension] = start;
  limits[dimension] = limit;
  return slice(x, std::move(starts), std::move(limits));
}

value builder::concatenate(std::span<const value> parts,
                           std::int64_t dimension) {
  attributes a;
  a.dimensions = {dimension};
  return append(opcode::concatenate, {parts.begin(), parts.end()},
                std::move(a));
}

value builder::reverse(value x, dims dimensions) {
  attributes a;
  a.dimensions = std::move(dimensions);
  return append(opcode::reverse, {x}, std::move(a));
}

value builder::pad(value x, value filler, std::vector<padding_dim> padding) {
  attributes a;
  a.padding = std::move(padding);
  return append(opcode::pad, {x, filler}, std::move(a));
}

value builder::dynamic_slice(value x, std::span<const value> starts,
                             dims sizes) {
  attributes a;
  a.dynamic_slice_sizes = std::move(sizes);
  std::vector<value> operands{x};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return append(opcode::dynamic_slice, std::move(operands), std::move(a));
}

value builder::dynamic_update_slice(value x, value update,
                                    std::span<const value> starts) {
  std::vector<value> operands{x, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return append(opcode::dynamic_update_slice, std::move(operands), {});
}

value builder::gather(value x, value indices, gather_dims d) {
  attributes a;
  a.gather = std::move(d);
  return append(opcode::gather, {x, indices}, std::move(a));
}

value builder::scatter(value x, value indices, value updates, scatter_dims d,
                       computation *combiner) {
  attributes a;
  a.scatter = std::move(d);
  a.called = {combiner};
  return append(opcode::scatter, {x, indices, updates}, std::move(a));
}

value builder::gather_rows(value x, value indices) {
  gather_dims d;
  d.index_vector_dim = indices->form.rank();
  d.collapsed_slice_dims = {0};
  d.start_index_map = {0};
  d.slice_sizes = x->form.dimensions;
  d.slice_sizes[0] = 1;
  for (std::int64_t i = 1; i < x->form.rank(); ++i)
    d.offset_dims.push_back(indices->form.rank() + i - 1);
  return gather(x, indices, std::move(d));
}

value builder::batch_norm_training(value x, value scale, value offset,
                                   float epsilon, std::int64_t feature) {
  attributes a;
  a.epsilon = epsilon;
  a.feature_index = feature;
  return append(opcode::batch_norm_training, {x, scale, offset}, std::move(a));
}

value builder::rng_uniform(value low, value high, dims to) {
  attributes a;
  a.frontend["rng.stream"] = std::to_string(owner_.next_channel_id());
  return append(opcode::rng, {low, high}, std::move(a),
                array_shape(low->form.type, std::move(to)));
}

value builder::dot(value x, value y, dot_dims d, element_type accumulate) {
  attributes a;
  a.dot = std::move(d);
  return append(opcode::dot, {x, y}, std::move(a), scalar_shape(accumulate));
}

value builder::dot_transposed(value x, value y) {
  return dot(x, y, {{1}, {1}, {}, {}}, element_type::f32);
}

value builder::reduce(value x, value init, dims dimensions,
                      computation *combiner) {
  attributes a;
  a.dimensions = std::move(dimensions);
  a.called = {combiner};
  return append(opcode::reduce, {x, init}, std::move(a));
}

value builder::reduce(opcode op, value x, double init, dims dimensions) {
  return reduce(x, constant_real(x->form.type, init), std::move(dimensions),
                scalar_computation(op, x->form.type));
}

value builder::reduce_window(value x, value init,
                             std::vector<window_dim> window,
                             computation *combiner) {
  attributes a;
  a.window = std::move(window);
  a.called = {combiner};
  return append(opcode::reduce_window, {x, init}, std::move(a));
}

value builder::sort(std::span<const value> keys, std::int64_t dimension,
                    bool is_stable, computation *comparator) {
  attributes a;
  a.dimensions = {dimension};
  a.is_stable = is_stable;
  a.called = {comparator};
  return append(opcode::sort, {keys.begin(), keys.end()}, std::move(a));
}

value builder::call(computation *callee, std::span<const value> operands) {
  attributes a;
  a.called = {callee};
  return append(opcode::call, {operands.begin(), operands.end()}, std::move(a));
}

value builder::tuple(std::span<const value> elements) {
  return append(opcode::tuple, {elements.begin(), elements.end()}, {});
}

value builder::get_tuple_element(value x, std::int64_t index) {
  attributes a;
  a.tuple_index = index;
  return append(opcode::get_tuple_element, {x}, std::move(a));
}

value builder::while_loop(computation *condition, computation *body,
                          value init) {
  attributes a;
  a.called = {condition, body};
  return append(opcode::while_, {init}, std::move(a));
}

value builder::conditional(value selector, std::span<const value> operands,
                           std::span<computation *const> branches) {
  attributes a;
  a.called = {branches.begin(), branches.end()};
  std::vector<value> all{selector};
  all.insert(all.end(), operands.begin(), operands.end());
  return append(opcode::conditional, std::move(all), std::move(a));
}

value builder::collective(opcode op, value x, dims dimensions,
                          std::vector<dims> groups) {
  // The shapes of all but all-reduce depend on how many take part.
  if (groups.empty() && op != opcode::all_reduce)
    for (groups.emplace_back();
         static_cast<std::int64_t>(groups[0].size()) < owner_.num_partitions;)
      groups[0].push_back(static_cast<std::int64_t>(groups[0].size()));
  attributes a;
  a.dimensions = std::move(dimensions);
  a.replica_groups = std::move(groups);
  a.channel_id = owner_.next_channel_id();
  if (op == opcode::all_reduce || op == opcode::reduce_scatter)
    a.called = {scalar_computation(opcode::add, x->form.type)};
  return append(op, {x}, std::move(a));
}

value builder::all_reduce(value x, std::vector<dims> groups) {
  return collective(opcode::all_reduce, x, {}, std::move(groups));
}

value builder::all_gather(value x, std::int64_t dimension,
                          std::vector<dims> groups) {
  return collective(opcode::all_gather, x, {dimension}, std::move(groups));
}

value builder::reduce_scatter(value x, std::int64_t dimension,
                              std::vector<dims> groups) {
  return collective(opcode::reduce_scatter, x, {dimension}, std::move(groups));
}

value builder::all_to_all(value x, std::int64_t dimension,
                          std::vector<dims> groups) {
  return collective(opcode::all_to_all, x, {dimension}, std::move(groups));
}

computation *builder::scalar_computation(opcode op, element_type type) {
  const std::string name =
      std::string(to_string(op)) + "_" + std::string(to_string(type));
  if (computation *shared = owner_.find_computation(name))
    return shared;
  builder inner(owner_, name);
  const shape scalar = scalar_shape(type);
  const value x = inner.parameter(0, scalar, "x");
  const value y = inner.parameter(1, scalar, "y");
  return inner.build(inner.binary(op, x, y));
}

} // namespace ganglion::hlo
