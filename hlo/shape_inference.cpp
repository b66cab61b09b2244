#include "hlo/shape_inference.hpp"

#include "hlo/module.hpp"
#include "hlo/shape_rules.hpp"

#include <algorithm>

namespace ganglion::hlo {

using namespace shape_rules;

namespace {

/// Which element types an elementwise operation takes.
bool accepts(opcode op, element_type type) {
  switch (op) {
  case opcode::atan2:
  case opcode::cbrt:
  case opcode::ceil:
  case opcode::cosine:
  case opcode::erf:
  case opcode::exponential:
  case opcode::exponential_minus_one:
  case opcode::floor:
  case opcode::is_finite:
  case opcode::log:
  case opcode::log_plus_one:
  case opcode::logistic:
  case opcode::round_nearest_afz:
  case opcode::round_nearest_even:
  case opcode::rsqrt:
  case opcode::sine:
  case opcode::sqrt:
  case opcode::tan:
  case opcode::tanh:
    return is_floating(type);
  case opcode::and_:
  case opcode::or_:
  case opcode::xor_:
  case opcode::not_:
    return !is_floating(type);
  case opcode::count_leading_zeros:
  case opcode::population_count:
  case opcode::shift_left:
  case opcode::shift_right_arithmetic:
  case opcode::shift_right_logical:
    return !is_floating(type) && type != element_type::pred;
  default:
    return true;
  }
}

shape infer_elementwise(opcode op, shapes in) {
  if (op == opcode::select || op == opcode::clamp) {
    const shape &whole = *in[1];
    if (op == opcode::select)
      check(in[0]->type == element_type::pred && compatible(*in[1], *in[2]) &&
                in[0]->dimensions == whole.dimensions,
            op, "select needs pred and two alike", in);
    else
      for (const shape *bound : {in[0], in[2]})
        check(bound->type == whole.type &&
                  (bound->rank() == 0 || bound->dimensions == whole.dimensions),
              op, "bounds of the operand's type, scalar or alike", in);
    return whole;
  }
  check(accepts(op, in[0]->type), op, "element type not accepted", in);
  if (in.size() == 2)
    check(compatible(*in[0], *in[1]), op, "operands must be alike", in);
  shape out = array_shape(in[0]->type, in[0]->dimensions);
  if (op == opcode::compare || op == opcode::is_finite)
    out.type = element_type::pred;
  return out;
}

shape infer_broadcast(shapes in, const attributes &a, const shape &wanted) {
  const dims &map = a.dimensions;
  check(static_cast<std::int64_t>(map.size()) == in[0]->rank(),
        opcode::broadcast, "one target dimension per operand dimension", in);
  check_dims(map, wanted.rank(), opcode::broadcast, in);
  for (std::size_t i = 0; i < map.size(); ++i)
    check(in[0]->dimensions[i] == wanted.dimensions[map[i]], opcode::broadcast,
          "operand dimension differs from target's", in);
  return array_shape(in[0]->type, wanted.dimensions);
}

shape infer_transpose(shapes in, const attributes &a) {
  check(a.dimensions.size() == in[0]->dimensions.size(), opcode::transpose,
        "permutation of another rank", in);
  check_dims(a.dimensions, in[0]->rank(), opcode::transpose, in);
  dims out;
  for (const auto d : a.dimensions)
    out.push_back(in[0]->dimensions[d]);
  return array_shape(in[0]->type, out);
}

shape infer_slice(shapes in, const attributes &a) {
  const auto rank = static_cast<std::size_t>(in[0]->rank());
  check(a.slice_starts.size() == rank && a.slice_limits.size() == rank &&
            a.slice_strides.size() == rank,
        opcode::slice, "start, limit and stride per dimension", in);
  dims out;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto start = a.slice_starts[i], limit = a.slice_limits[i],
               stride = a.slice_strides[i];
    check(start >= 0 && start <= limit && limit <= in[0]->dimensions[i] &&
              stride > 0,
          opcode::slice, "bounds outside the operand", in);
    out.push_back((limit - start + stride - 1) / stride);
  }
  return array_shape(in[0]->type, out);
}

void check_index_operands(opcode op, shapes in, std::size_t first) {
  check(in.size() >= first && in.size() == first + in[0]->dimensions.size(), op,
        "one scalar index per dimension", in);
  for (std::size_t i = first; i < in.size(); ++i)
    check(in[i]->rank() == 0 && !is_floating(in[i]->type), op,
          "indices are integer scalars", in);
}

shape infer_dynamic_slice(shapes in, const attributes &a) {
  check_index_operands(opcode::dynamic_slice, in, 1);
  check(a.dynamic_slice_sizes.size() == in[0]->dimensions.size(),
        opcode::dynamic_slice, "one size per dimension", in);
  for (std::size_t i = 0; i < a.dynamic_slice_sizes.size(); ++i)
    check(a.dynamic_slice_sizes[i] >= 0 &&
              a.dynamic_slice_sizes[i] <= in[0]->dimensions[i],
          opcode::dynamic_slice, "size exceeds the operand", in);
  return array_shape(in[0]->type, a.dynamic_slice_sizes);
}

shape infer_dynamic_update_slice(shapes in) {
  check(in.size() >= 2 && in[0]->rank() == in[1]->rank() &&
            in[0]->type == in[1]->type,
        opcode::dynamic_update_slice, "update must match the operand", in);
  check_index_operands(opcode::dynamic_update_slice, in, 2);
  for (std::size_t i = 0; i < in[0]->dimensions.size(); ++i)
    check(in[1]->dimensions[i] <= in[0]->dimensions[i],
          opcode::dynamic_update_slice, "update exceeds the operand", in);
  return *in[0];
}

shape infer_pad(shapes in, const attributes &a) {
  check(a.padding.size() == in[0]->dimensions.size() && in[1]->rank() == 0 &&
            in[1]->type == in[0]->type,
        opcode::pad, "padding per dimension and a scalar of the same type", in);
  dims out;
  for (std::size_t i = 0; i < a.padding.size(); ++i) {
    const auto &p = a.padding[i];
    const auto n = in[0]->dimensions[i];
    check(std::abs(p.low) <= max_elements && std::abs(p.high) <= max_elements &&
              p.interior >= 0 &&
              p.interior <= max_elements / std::max<std::int64_t>(n, 1),
          opcode::pad, "padding out of range", in);
    const auto size =
        p.low + p.high + n + std::max<std::int64_t>(n - 1, 0) * p.interior;
    check(size >= 0, opcode::pad, "negative result", in);
    out.push_back(size);
  }
  return array_shape(in[0]->type, out);
}

shape infer_concatenate(shapes in, const attributes &a) {
  check(!in.empty() && a.dimensions.size() == 1, opcode::concatenate,
        "operands and one dimension", in);
  check_dims(a.dimensions, in[0]->rank(), opcode::concatenate, in);
  const auto d = a.dimensions[0];
  dims out = in[0]->dimensions;
  for (std::size_t i = 1; i < in.size(); ++i) {
    dims other = in[i]->dimensions;
    check(in[i]->type == in[0]->type && other.size() == out.size(),
          opcode::concatenate, "operands must be alike", in);
    out[d] = std::min(out[d] + other[d], max_elements + 1);
    other[d] = in[0]->dimensions[d];
    check(other == in[0]->dimensions, opcode::concatenate,
          "operands differ outside the dimension", in);
  }
  return array_shape(in[0]->type, out);
}

shape infer_reduce(shapes in, const attributes &a) {
  check(in.size() >= 2 && in.size() % 2 == 0 && a.called.size() == 1,
        opcode::reduce, "operands, initial values and a computation", in);
  const std::size_t n = in.size() / 2;
  std::vector<shape> out;
  for (std::size_t k = 0; k < n; ++k) {
    check(in[k]->dimensions == in[0]->dimensions && in[n + k]->rank() == 0 &&
              in[n + k]->type == in[k]->type,
          opcode::reduce, "operands alike, initial values scalars", in);
    check_dims(a.dimensions, in[k]->rank(), opcode::reduce, in);
    dims kept;
    for (std::int64_t i = 0; i < in[k]->rank(); ++i)
      if (!contains(a.dimensions, i))
        kept.push_back(in[k]->dim(i));
    out.push_back(array_shape(in[k]->type, kept));
  }
  return n == 1 ? out[0] : tuple_shape(out);
}

shape infer_reduce_window(shapes in, const attributes &a) {
  check(a.window.size() == in[0]->dimensions.size() && a.called.size() == 1 &&
            in[1]->rank() == 0 && in[1]->type == in[0]->type,
        opcode::reduce_window, "a window per dimension and a computation", in);
  dims out;
  for (std::size_t i = 0; i < a.window.size(); ++i) {
    const auto &w = a.window[i];
    check(w.size > 0 && w.stride > 0, opcode::reduce_window,
          "window sizes and strides are positive", in);
    check(std::abs(w.pad_low) <= max_elements &&
              std::abs(w.pad_high) <= max_elements,
          opcode::reduce_window, "padding out of range", in);
    const auto padded = in[0]->dimensions[i] + w.pad_low + w.pad_high;
    out.push_back(padded < w.size ? 0 : (padded - w.size) / w.stride + 1);
  }
  return array_shape(in[0]->type, out);
}

shape infer_batch_norm_training(shapes in, const attributes &a) {
  constexpr auto op = opcode::batch_norm_training;
  const shape &whole = *in[0];
  check(is_floating(whole.type) && a.feature_index >= 0 &&
            a.feature_index < whole.rank(),
        op, "a floating array with the feature dimension", in);
  const shape features = array_shape(whole.type, {whole.dim(a.feature_index)});
  check(compatible(*in[1], features) && compatible(*in[2], features), op,
        "a scale and an offset per feature", in);
  return tuple_shape({whole, features, features});
}

shape infer_rng(shapes in, const attributes &a, const shape &wanted) {
  check(in[0]->rank() == 0 && compatible(*in[0], *in[1]) &&
            in[0]->type != element_type::pred,
        opcode::rng, "two scalars of one type", in);
  check(a.distribution == random_distribution::uniform ||
            is_floating(in[0]->type),
        opcode::rng, "normal numbers are floating", in);
  return array_shape(in[0]->type, wanted.dimensions);
}

shape infer_collective(opcode op, shapes in, const attributes &a) {
  if (op == opcode::all_reduce)
    return *in[0];
  const auto ranks =
      a.replica_groups.empty()
          ? std::int64_t{1}
          : static_cast<std::int64_t>(a.replica_groups[0].size());
  check(ranks > 0, op, "groups are not empty", in);
  check(a.dimensions.size() == 1, op, "one dimension", in);
  check_dims(a.dimensions, in[0]->rank(), op, in);
  shape out = *in[0];
  auto &size = out.dimensions[a.dimensions[0]];
  if (op == opcode::all_gather) {
    check(size <= max_elements / ranks, op, "result too large", in);
    size *= ranks;
  } else {
    check(size % ranks == 0, op, "dimension not divisible by the group", in);
    if (op == opcode::reduce_scatter)
      size /= ranks;
  }
  return out;
}

const shape &result_of(const computation &callee, opcode op, shapes in) {
  check(callee.root() != nullptr, op, "the computation called is empty", in);
  return callee.root()->form;
}

shape infer_structure(opcode op, shapes in, const attributes &a) {
  switch (op) {
  case opcode::tuple: {
    std::vector<shape> elements;
    for (const shape *s : in)
      elements.push_back(*s);
    return tuple_shape(std::move(elements));
  }
  case opcode::get_tuple_element:
    check(in[0]->tuple && a.tuple_index >= 0 &&
              a.tuple_index < static_cast<std::int64_t>(in[0]->elements.size()),
          op, "index outside the tuple", in);
    return in[0]->elements[a.tuple_index];
  case opcode::while_:
    check(a.called.size() == 2, op, "condition and body", in);
    return *in[0];
  case opcode::conditional:
    check(!a.called.empty() && in.size() == a.called.size() + 1, op,
          "one operand per branch", in);
    return result_of(*a.called[0], op, in);
  default:
    check(a.called.size() == 1, op, "a computation to call", in);
    return result_of(*a.called[0], op, in);
  }
}

shape infer_retyped(opcode op, shapes in, const shape &wanted) {
  if (op == opcode::bitcast_convert)
    check(byte_size(in[0]->type) == byte_size(wanted.type), op,
          "element sizes differ", in);
  return array_shape(wanted.type, in[0]->dimensions);
}

/// Operations whose operands may be tuples.
bool takes_tuples(opcode op) {
  return op >= opcode::call && op <= opcode::while_;
}

shape infer_sort(shapes in, const attributes &a) {
  check(!in.empty() && a.called.size() == 1 && a.dimensions.size() == 1,
        opcode::sort, "keys, one dimension and a comparator", in);
  check_dims(a.dimensions, in[0]->rank(), opcode::sort, in);
  for (const shape *s : in)
    check(s->dimensions == in[0]->dimensions, opcode::sort,
          "keys must have the same dimensions", in);
  return in.size() == 1 ? *in[0] : infer_structure(opcode::tuple, in, a);
}

shape infer(opcode op, shapes in, const attributes &a, const shape &wanted) {
  switch (op) {
  case opcode::parameter:
  case opcode::constant:
    return wanted;
  case opcode::iota:
    check(!wanted.tuple && a.dimensions.size() == 1, op,
          "an array and one dimension", in);
    check_dims(a.dimensions, wanted.rank(), op, in);
    return wanted;
  case opcode::partition_id:
    return scalar_shape(element_type::u32);
  case opcode::convert:
  case opcode::bitcast_convert:
    return infer_retyped(op, in, wanted);
  case opcode::copy:
    return *in[0];
  case opcode::reverse:
    check_dims(a.dimensions, in[0]->rank(), op, in);
    return *in[0];
  case opcode::reshape:
    check(wanted.size() == in[0]->size(), op, "element counts differ", in);
    return array_shape(in[0]->type, wanted.dimensions);
  case opcode::broadcast:
    return infer_broadcast(in, a, wanted);
  case opcode::transpose:
    return infer_transpose(in, a);
  case opcode::slice:
    return infer_slice(in, a);
  case opcode::dynamic_slice:
    return infer_dynamic_slice(in, a);
  case opcode::dynamic_update_slice:
    return infer_dynamic_update_slice(in);
  case opcode::pad:
    return infer_pad(in, a);
  case opcode::concatenate:
    return infer_concatenate(in, a);
  case opcode::dot:
    return infer_dot(in, a, wanted);
  case opcode::gather:
    return infer_gather(in, a);
  case opcode::scatter:
    return infer_scatter(in, a);
  case opcode::reduce:
    return infer_reduce(in, a);
  case opcode::reduce_window:
    return infer_reduce_window(in, a);
  case opcode::batch_norm_training:
    return infer_batch_norm_training(in, a);
  case opcode::rng:
    return infer_rng(in, a, wanted);
  case opcode::sort:
    return infer_sort(in, a);
  default:
    if (is_elementwise(op))
      return infer_elementwise(op, in);
    if (is_collective(op))
      return infer_collective(op, in, a);
    return infer_structure(op, in, a);
  }
}

} // namespace

shape infer_shape(opcode op, shapes in, const attributes &a,
                  const shape &wanted) {
  const int count = operand_count(op);
  check(count < 0 || static_cast<int>(in.size()) == count, op,
        "wrong number of operands", in);
  check(is_well_formed(wanted), op, "the wanted shape is not valid", in);
  for (const shape *s : in)
    check(takes_tuples(op) || !s->tuple, op, "operands must be arrays", in);
  shape out = infer(op, in, a, wanted);
  check(is_well_formed(out), op, "the result is too large", in);
  return out;
}

} // namespace ganglion::hlo
