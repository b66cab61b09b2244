#include "hlo/shape_inference.hpp"

#include "hlo/module.hpp"
#include "hlo/support/error.hpp"

#include <algorithm>
#include <set>

namespace ganglion::hlo {

namespace {

using shapes = std::span<const shape *const>;

[[noreturn]] void fail(opcode op, const std::string &rule, shapes operands) {
  std::string message = rule + "; operands:";
  for (const shape *s : operands)
    message += " " + to_string(*s, false);
  throw error(error_code::invalid_argument, message,
              std::string(to_string(op)));
}

void check(bool holds, opcode op, const char *rule, shapes operands) {
  if (!holds)
    fail(op, rule, operands);
}

bool contains(const dims &list, std::int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Every entry within [0, rank) and none twice.
void check_dims(const dims &list, std::int64_t rank, opcode op,
                shapes operands) {
  std::set<std::int64_t> seen;
  for (const auto d : list)
    check(d >= 0 && d < rank && seen.insert(d).second, op,
          "dimension number out of range or repeated", operands);
}

shape infer_elementwise(opcode op, shapes in) {
  if (op == opcode::select || op == opcode::clamp) {
    const shape &whole = *in[1];
    if (op == opcode::select)
      check(in[0]->type == element_type::pred && compatible(*in[1], *in[2]) &&
                in[0]->dimensions == whole.dimensions,
            op, "select needs pred and two alike", in);
    else
      check(in[0]->type == whole.type && in[2]->type == whole.type, op,
            "clamp needs one element type", in);
    return whole;
  }
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
  check(in.size() == first + in[0]->dimensions.size(), op,
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
    const auto size =
        p.low + p.high + n + std::max<std::int64_t>(n - 1, 0) * p.interior;
    check(size >= 0 && p.interior >= 0, opcode::pad, "negative result", in);
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
    out[d] += other[d];
    other[d] = in[0]->dimensions[d];
    check(other == in[0]->dimensions, opcode::concatenate,
          "operands differ outside the dimension", in);
  }
  return array_shape(in[0]->type, out);
}

shape infer_dot(shapes in, const attributes &a, const shape &wanted) {
  const auto &n = a.dot;
  const shape &l = *in[0], &r = *in[1];
  check(n.lhs_contracting.size() == n.rhs_contracting.size() &&
            n.lhs_batch.size() == n.rhs_batch.size() && l.type == r.type,
        opcode::dot, "matching dimension lists and types", in);
  check_dims(n.lhs_contracting, l.rank(), opcode::dot, in);
  check_dims(n.rhs_contracting, r.rank(), opcode::dot, in);
  check_dims(n.lhs_batch, l.rank(), opcode::dot, in);
  check_dims(n.rhs_batch, r.rank(), opcode::dot, in);
  for (std::size_t i = 0; i < n.lhs_contracting.size(); ++i)
    check(l.dim(n.lhs_contracting[i]) == r.dim(n.rhs_contracting[i]),
          opcode::dot, "contracted sizes differ", in);
  dims out;
  for (std::size_t i = 0; i < n.lhs_batch.size(); ++i) {
    check(l.dim(n.lhs_batch[i]) == r.dim(n.rhs_batch[i]), opcode::dot,
          "batch sizes differ", in);
    out.push_back(l.dim(n.lhs_batch[i]));
  }
  for (std::int64_t i = 0; i < l.rank(); ++i)
    if (!contains(n.lhs_batch, i) && !contains(n.lhs_contracting, i))
      out.push_back(l.dim(i));
  for (std::int64_t i = 0; i < r.rank(); ++i)
    if (!contains(n.rhs_batch, i) && !contains(n.rhs_contracting, i))
      out.push_back(r.dim(i));
  // As in XLA, the accumulation type may be wider than the operands'.
  const bool widened = is_floating(wanted.type) == is_floating(l.type) &&
                       byte_size(wanted.type) > byte_size(l.type);
  return array_shape(widened ? wanted.type : l.type, out);
}

shape infer_gather(shapes in, const attributes &a) {
  const auto &g = a.gather;
  const shape &operand = *in[0], &indices = *in[1];
  check(static_cast<std::int64_t>(g.slice_sizes.size()) == operand.rank(),
        opcode::gather, "one slice size per operand dimension", in);
  for (std::int64_t i = 0; i < operand.rank(); ++i)
    check(g.slice_sizes[i] >= 0 && g.slice_sizes[i] <= operand.dim(i),
          opcode::gather, "slice exceeds the operand", in);
  dims batch;
  for (std::int64_t i = 0; i < indices.rank(); ++i)
    if (i != g.index_vector_dim)
      batch.push_back(indices.dim(i));
  dims window;
  for (std::int64_t i = 0; i < operand.rank(); ++i)
    if (!contains(g.collapsed_slice_dims, i))
      window.push_back(g.slice_sizes[i]);
  check(window.size() == g.offset_dims.size(), opcode::gather,
        "offset_dims and uncollapsed dimensions differ", in);
  const std::size_t rank = batch.size() + window.size();
  check_dims(g.offset_dims, static_cast<std::int64_t>(rank), opcode::gather,
             in);
  dims out;
  std::size_t b = 0, w = 0;
  for (std::size_t i = 0; i < rank; ++i)
    out.push_back(contains(g.offset_dims, static_cast<std::int64_t>(i))
                      ? window[w++]
                      : batch[b++]);
  return array_shape(operand.type, out);
}

shape infer_scatter(shapes in, const attributes &a) {
  check(in[0]->type == in[2]->type && a.called.size() == 1, opcode::scatter,
        "updates of the operand's type and a combiner", in);
  const auto window = a.scatter.update_window_dims.size() +
                      a.scatter.inserted_window_dims.size();
  check(window == in[0]->dimensions.size(), opcode::scatter,
        "window dimensions do not cover the operand", in);
  return *in[0];
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
            in[1]->rank() == 0,
        opcode::reduce_window, "a window per dimension and a computation", in);
  dims out;
  for (std::size_t i = 0; i < a.window.size(); ++i) {
    const auto &w = a.window[i];
    const auto padded = in[0]->dimensions[i] + w.pad_low + w.pad_high;
    check(w.size > 0 && w.stride > 0, opcode::reduce_window,
          "window sizes and strides are positive", in);
    out.push_back(padded < w.size ? 0 : (padded - w.size) / w.stride + 1);
  }
  return array_shape(in[0]->type, out);
}

shape infer_collective(opcode op, shapes in, const attributes &a) {
  if (op == opcode::all_reduce)
    return *in[0];
  const auto ranks =
      a.replica_groups.empty()
          ? std::int64_t{1}
          : static_cast<std::int64_t>(a.replica_groups[0].size());
  check(a.dimensions.size() == 1, op, "one dimension", in);
  check_dims(a.dimensions, in[0]->rank(), op, in);
  shape out = *in[0];
  auto &size = out.dimensions[a.dimensions[0]];
  if (op == opcode::all_gather) {
    size *= ranks;
  } else {
    check(size % ranks == 0, op, "dimension not divisible by the group", in);
    if (op == opcode::reduce_scatter)
      size /= ranks;
  }
  return out;
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
    return a.called[0]->root()->form;
  default:
    check(a.called.size() == 1, op, "a computation to call", in);
    return a.called[0]->root()->form;
  }
}

shape infer_retyped(opcode op, shapes in, const shape &wanted) {
  if (op == opcode::bitcast_convert)
    check(byte_size(in[0]->type) == byte_size(wanted.type), op,
          "element sizes differ", in);
  return array_shape(wanted.type, in[0]->dimensions);
}

} // namespace

shape infer_shape(opcode op, shapes in, const attributes &a,
                  const shape &wanted) {
  const int count = operand_count(op);
  check(count < 0 || static_cast<int>(in.size()) == count, op,
        "wrong number of operands", in);
  switch (op) {
  case opcode::parameter:
  case opcode::constant:
  case opcode::iota:
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
  case opcode::sort: {
    check(!in.empty() && a.called.size() == 1, op, "keys and a comparator", in);
    return in.size() == 1 ? *in[0] : infer_structure(opcode::tuple, in, a);
  }
  default:
    if (is_elementwise(op))
      return infer_elementwise(op, in);
    if (is_collective(op))
      return infer_collective(op, in, a);
    return infer_structure(op, in, a);
  }
}

} // namespace ganglion::hlo
