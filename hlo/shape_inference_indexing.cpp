#include "hlo/shape_rules.hpp"

namespace ganglion::hlo::shape_rules {

namespace {

/// `indices` holds integers, and along `vector_dim` (or implicitly, when that
/// is its rank) one per entry of `map`, which names operand dimensions.
void check_index_vector(opcode op, shapes in, std::int64_t vector_dim,
                        const dims &map) {
  const shape &indices = *in[1];
  check(!is_floating(indices.type) && indices.type != element_type::pred, op,
        "indices are integers", in);
  check(vector_dim >= 0 && vector_dim <= indices.rank(), op,
        "index_vector_dim outside the indices", in);
  const auto length = vector_dim < indices.rank() ? indices.dim(vector_dim) : 1;
  check(static_cast<std::int64_t>(map.size()) == length, op,
        "one operand dimension per component of an index", in);
  check_dims(map, in[0]->rank(), op, in);
}

/// The sizes of `indices` without the dimension that holds index vectors.
dims batch_sizes(const shape &indices, std::int64_t vector_dim) {
  dims out;
  for (std::int64_t i = 0; i < indices.rank(); ++i)
    if (i != vector_dim)
      out.push_back(indices.dim(i));
  return out;
}

/// `operand_dims` and `index_dims` are as many, of equal sizes, and no other
/// list names them.
void check_batching(opcode op, shapes in, const dims &operand_dims,
                    const dims &index_dims, std::int64_t vector_dim,
                    std::initializer_list<const dims *> others) {
  check_dims(operand_dims, in[0]->rank(), op, in);
  check_dims(index_dims, in[1]->rank(), op, in);
  check(operand_dims.size() == index_dims.size() &&
            !contains(index_dims, vector_dim),
        op, "batching dimensions of operand and indices", in);
  for (std::size_t k = 0; k < operand_dims.size(); ++k) {
    check(in[0]->dim(operand_dims[k]) == in[1]->dim(index_dims[k]), op,
          "batching dimensions of equal sizes", in);
    for (const dims *list : others)
      check(!contains(*list, operand_dims[k]), op,
            "a batching dimension is used in another way too", in);
  }
}

} // namespace

shape infer_gather(shapes in, const attributes &a) {
  const auto &g = a.gather;
  const shape &operand = *in[0], &indices = *in[1];
  check(static_cast<std::int64_t>(g.slice_sizes.size()) == operand.rank(),
        opcode::gather, "one slice size per operand dimension", in);
  for (std::int64_t i = 0; i < operand.rank(); ++i)
    check(g.slice_sizes[i] >= 0 && g.slice_sizes[i] <= operand.dim(i),
          opcode::gather, "slice exceeds the operand", in);
  check_index_vector(opcode::gather, in, g.index_vector_dim, g.start_index_map);
  check_dims(g.collapsed_slice_dims, operand.rank(), opcode::gather, in);
  for (const auto d : g.collapsed_slice_dims)
    check(g.slice_sizes[d] == 1, opcode::gather,
          "collapsed dimensions have slices of size 1", in);
  check_batching(opcode::gather, in, g.operand_batching_dims,
                 g.start_indices_batching_dims, g.index_vector_dim,
                 {&g.collapsed_slice_dims, &g.start_index_map});
  for (const auto d : g.operand_batching_dims)
    check(g.slice_sizes[d] <= 1, opcode::gather,
          "batching dimensions have slices of size 1", in);
  const dims batch = batch_sizes(indices, g.index_vector_dim);
  dims window;
  for (std::int64_t i = 0; i < operand.rank(); ++i)
    if (!contains(g.collapsed_slice_dims, i) &&
        !contains(g.operand_batching_dims, i))
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
  constexpr auto op = opcode::scatter;
  const shape &operand = *in[0], &updates = *in[2];
  const auto &s = a.scatter;
  check(operand.type == updates.type && a.called.size() == 1, op,
        "updates of the operand's type and a combiner", in);
  check_index_vector(op, in, s.index_vector_dim,
                     s.scatter_dims_to_operand_dims);
  check_dims(s.inserted_window_dims, operand.rank(), op, in);
  check_dims(s.update_window_dims, updates.rank(), op, in);
  check_batching(op, in, s.input_batching_dims, s.scatter_indices_batching_dims,
                 s.index_vector_dim,
                 {&s.inserted_window_dims, &s.scatter_dims_to_operand_dims});
  const auto window = s.update_window_dims.size() +
                      s.inserted_window_dims.size() +
                      s.input_batching_dims.size();
  check(window == operand.dimensions.size(), op,
        "window dimensions do not cover the operand", in);
  const dims batch = batch_sizes(*in[1], s.index_vector_dim);
  check(batch.size() + s.update_window_dims.size() == updates.dimensions.size(),
        op, "updates have a dimension per window and batch dimension", in);
  std::size_t b = 0;
  std::int64_t w = 0;
  for (std::int64_t i = 0; i < updates.rank(); ++i) {
    if (!contains(s.update_window_dims, i)) {
      check(updates.dim(i) == batch[b++], op,
            "batch sizes of updates and indices differ", in);
      continue;
    }
    while (contains(s.inserted_window_dims, w) ||
           contains(s.input_batching_dims, w))
      ++w;
    check(updates.dim(i) <= operand.dim(w++), op, "window exceeds the operand",
          in);
  }
  return operand;
}

} // namespace ganglion::hlo::shape_rules
