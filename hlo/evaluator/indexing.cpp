#include "hlo/evaluator/accumulator.hpp"
#include "hlo/evaluator/groups.hpp"
#include "hlo/evaluator/strided.hpp"

#include <algorithm>
#include <limits>

namespace ganglion::hlo {

namespace {

/// A start index; what exceeds 63 bits saturates.
std::int64_t index_at(const literal_view &indices, std::int64_t i) {
  const auto value = indices.integer(i);
  if (indices.form->type == element_type::u64 && value < 0)
    return std::numeric_limits<std::int64_t>::max();
  return value;
}

std::int64_t clamped_start(const literal_view &start, std::int64_t dimension,
                           std::int64_t size) {
  return std::clamp<std::int64_t>(index_at(start, 0), 0, dimension - size);
}

bool contains(const dims &list, std::size_t value) {
  return std::find(list.begin(), list.end(),
                   static_cast<std::int64_t>(value)) != list.end();
}

/// The dimensions of an index array without the one that holds the vector,
/// with their strides there, and the stride within a vector.
struct index_grid {
  std::size_t rank = 0;
  numbers size{}, stride{};
  std::int64_t vector_stride = 0;

  index_grid(const shape &indices, std::int64_t vector_dim) {
    const numbers strides = dense_strides(indices.dimensions);
    for (std::int64_t d = 0; d < indices.rank(); ++d) {
      if (d == vector_dim) {
        vector_stride = strides[d];
        continue;
      }
      size[rank] = indices.dim(d);
      stride[rank++] = strides[d];
    }
  }
};

/// How far each dimension of an index grid that is also one of the operand's
/// moves in the operand.
struct batch_strides {
  numbers stride{};

  batch_strides(const dims &operand_dims, const dims &index_dims,
                std::int64_t vector_dim, const numbers &operand_strides) {
    for (std::size_t k = 0; k < operand_dims.size(); ++k) {
      const auto d = index_dims[k];
      stride[static_cast<std::size_t>(d > vector_dim ? d - 1 : d)] =
          operand_strides[static_cast<std::size_t>(operand_dims[k])];
    }
  }
};

/// Sizes and strides of an array's dimensions that are in `list`, ascending
/// (or of those that are not).
struct selected {
  numbers size{}, stride{};

  selected(const shape &array, const dims &list, bool inside) {
    const numbers strides = dense_strides(array.dimensions);
    std::size_t used = 0;
    for (std::size_t d = 0; d < array.dimensions.size(); ++d)
      if (contains(list, d) == inside) {
        size[used] = array.dimensions[d];
        stride[used++] = strides[d];
      }
  }
};

} // namespace

void evaluate_dynamic_slice(views in, literal_view out) {
  const dims &whole = in[0].form->dimensions;
  box b = box_of(out.form->dimensions);
  b.from_stride = dense_strides(whole);
  b.to_stride = dense_strides(out.form->dimensions);
  for (std::size_t d = 0; d < b.rank; ++d)
    b.from_offset +=
        b.from_stride[d] * clamped_start(in[1 + d], whole[d], b.size[d]);
  copy_box(b, in[0].data, out.data, byte_size(out.form->type));
}

void evaluate_dynamic_update_slice(views in, literal_view out) {
  copy_array(in[0], out);
  box b = box_of(in[1].form->dimensions);
  b.from_stride = dense_strides(in[1].form->dimensions);
  b.to_stride = dense_strides(out.form->dimensions);
  for (std::size_t d = 0; d < b.rank; ++d)
    b.to_offset += b.to_stride[d] *
                   clamped_start(in[2 + d], out.form->dimensions[d], b.size[d]);
  copy_box(b, in[1].data, out.data, byte_size(out.form->type));
}

void evaluate_gather(const instruction &i, views in, literal_view out) {
  const gather_dims &g = i.attrs.gather;
  const dims &whole = in[0].form->dimensions;
  const index_grid grid(*in[1].form, g.index_vector_dim);
  const selected batch(*out.form, g.offset_dims, false);
  const selected offset(*out.form, g.offset_dims, true);
  box window = box_of(g.slice_sizes);
  window.from_stride = dense_strides(whole);
  std::size_t used = 0;
  for (std::size_t d = 0; d < window.rank; ++d)
    if (!contains(g.collapsed_slice_dims, d) &&
        !contains(g.operand_batching_dims, d))
      window.to_stride[d] = offset.stride[used++];
  const batch_strides shared(g.operand_batching_dims,
                             g.start_indices_batching_dims, g.index_vector_dim,
                             window.from_stride);
  for_each_index(grid.rank, grid.size, [&](const numbers &index) {
    const auto first = offset_of(grid.rank, index, grid.stride);
    window.to_offset = offset_of(grid.rank, index, batch.stride);
    window.from_offset = offset_of(grid.rank, index, shared.stride);
    for (std::size_t k = 0; k < g.start_index_map.size(); ++k) {
      const auto d = g.start_index_map[k];
      const auto start = index_at(in[1], first + static_cast<std::int64_t>(k) *
                                                     grid.vector_stride);
      window.from_offset +=
          window.from_stride[d] *
          std::clamp<std::int64_t>(start, 0, whole[d] - window.size[d]);
    }
    copy_box(window, in[0].data, out.data, byte_size(out.form->type));
  });
}

namespace {

/// The window of updates seen from the operand: sizes per operand dimension,
/// "from" strides in the updates, "to" strides in the result.
box scatter_window(const scatter_dims &s, const shape &updates,
                   const shape &whole) {
  box window = box_of(whole.dimensions);
  const selected inner(updates, s.update_window_dims, true);
  window.to_stride = dense_strides(whole.dimensions);
  std::size_t used = 0;
  for (std::size_t d = 0; d < window.rank; ++d) {
    if (contains(s.inserted_window_dims, d) ||
        contains(s.input_batching_dims, d)) {
      window.size[d] = 1;
      continue;
    }
    window.size[d] = inner.size[used];
    window.from_stride[d] = inner.stride[used++];
  }
  return window;
}

/// Moves `window` by the start indices that begin at element `first`; false
/// when any of it lies outside the operand.
bool place(const scatter_dims &s, const literal_view &indices,
           std::int64_t first, std::int64_t vector_stride, const dims &whole,
           box &window) {
  for (std::size_t k = 0; k < s.scatter_dims_to_operand_dims.size(); ++k) {
    const auto d = s.scatter_dims_to_operand_dims[k];
    const auto start =
        index_at(indices, first + static_cast<std::int64_t>(k) * vector_stride);
    if (start < 0 || start > whole[d] - window.size[d])
      return false;
    window.to_offset += start * window.to_stride[d];
  }
  return true;
}

void combine(accumulator &sum, const box &window, const literal_view &updates,
             const literal_view &out) {
  for_each_index(window.rank, window.size, [&](const numbers &index) {
    const auto to =
        window.to_offset + offset_of(window.rank, index, window.to_stride);
    sum.begin({&out, 1}, to);
    sum.take({&updates, 1}, window.from_offset + offset_of(window.rank, index,
                                                           window.from_stride));
    sum.write({&out, 1}, to);
  });
}

} // namespace

void evaluate_scatter(const instruction &i, views in, literal_view out) {
  const scatter_dims &s = i.attrs.scatter;
  const computation &combiner = *i.attrs.called.at(0);
  copy_array(in[0], out);
  const index_grid grid(*in[1].form, s.index_vector_dim);
  const selected batch(*in[2].form, s.update_window_dims, false);
  box window = scatter_window(s, *in[2].form, *out.form);
  const batch_strides shared(s.input_batching_dims,
                             s.scatter_indices_batching_dims,
                             s.index_vector_dim, window.to_stride);
  const auto update = [&](auto &&apply) {
    for_each_index(grid.rank, grid.size, [&](const numbers &index) {
      window.from_offset = offset_of(grid.rank, index, batch.stride);
      window.to_offset = offset_of(grid.rank, index, shared.stride);
      if (place(s, in[1], offset_of(grid.rank, index, grid.stride),
                grid.vector_stride, out.form->dimensions, window))
        apply();
    });
  };
  // Plain replacement, as for caches, needs no arithmetic and no allocation.
  if (combiner.root()->op == opcode::parameter &&
      combiner.root()->attrs.parameter_number == 1)
    return update([&] {
      copy_box(window, in[2].data, out.data, byte_size(out.form->type));
    });
  accumulator sum(combiner, in.subspan(0, 1));
  update([&] { combine(sum, window, in[2], out); });
}

} // namespace ganglion::hlo
