// Tensors whose elements do not lie row by row, as a transposed matrix that
// was saved without being copied first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ganglion::runtime {

/// Where the elements of a tensor lie, counted in elements. One stride for
/// each dimension.
struct strided_layout {
  std::int64_t offset = 0;
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> strides;
};

/// Whether the elements follow each other in row-major order.
bool is_packed(const strided_layout &layout);

/// One past the last element used, or nothing when a number is negative or
/// the result does not fit 63 bits. An empty tensor ends at its offset.
std::optional<std::uint64_t> end_of(const strided_layout &layout);

/// The elements in row-major order. `storage` must reach to `end_of`.
std::vector<std::byte> pack(const strided_layout &layout,
                            std::span<const std::byte> storage,
                            std::size_t element_size);

} // namespace ganglion::runtime
