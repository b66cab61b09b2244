// Walking and copying boxes of elements between strided arrays without
// allocating.
#pragma once

#include "hlo/evaluator/operation.hpp"

#include <array>
#include <cstring>

namespace ganglion::hlo {

/// Sizes, strides or an index, one number per dimension.
using numbers = std::array<std::int64_t, max_rank>;

/// Element strides of a dense row-major array; like `box_of`, throws
/// `unsupported` beyond `max_rank` dimensions.
numbers dense_strides(const dims &dimensions);

/// A box to copy: sizes, and element offset and strides on either side
/// (strides may be zero or negative).
struct box {
  std::size_t rank = 0;
  numbers size{}, from_stride{}, to_stride{};
  std::int64_t from_offset = 0, to_offset = 0;
};

/// A box of the given sizes, dense in neither array yet.
box box_of(const dims &sizes);

/// Copies elements of `element_bytes` (1, 2, 4 or 8).
void copy_box(const box &b, const std::byte *from, std::byte *to,
              std::size_t element_bytes);

/// Calls `use(index)` for every index within `size`, in row-major order.
template <class F>
void for_each_index(std::size_t rank, const numbers &size, F &&use) {
  for (std::size_t d = 0; d < rank; ++d)
    if (size[d] <= 0)
      return;
  numbers index{};
  while (true) {
    use(static_cast<const numbers &>(index));
    std::size_t d = rank;
    while (d > 0 && ++index[d - 1] == size[d - 1])
      index[--d] = 0;
    if (d == 0)
      return;
  }
}

/// Where an index lies: the sum of index times stride.
inline std::int64_t offset_of(std::size_t rank, const numbers &index,
                              const numbers &stride) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < rank; ++d)
    offset += index[d] * stride[d];
  return offset;
}

/// Copies element `i` of one array to element `j` of another of its type.
inline void copy_element(const literal_view &from, std::int64_t i,
                         const literal_view &to, std::int64_t j) {
  const auto bytes = byte_size(from.form->type);
  std::memcpy(to.data + static_cast<std::size_t>(j) * bytes,
              from.data + static_cast<std::size_t>(i) * bytes, bytes);
}

/// Copies all bytes of an array unless both are the same memory.
inline void copy_array(const literal_view &from, const literal_view &to) {
  if (from.data != to.data && to.form->size() > 0)
    std::memcpy(to.data, from.data, to.form->bytes());
}

} // namespace ganglion::hlo
