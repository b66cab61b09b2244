// A named tensor inside a checkpoint: what it is and where its bytes are.
#pragma once

#include "runtime/checkpoint/tensor_dtype.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// Row-major elements, little-endian, packed. `bytes` is borrowed from the
/// checkpoint, which must outlive the view, and may be unaligned.
struct tensor_view {
  std::string name;
  tensor_dtype dtype = tensor_dtype::f32;
  std::vector<std::int64_t> dims;
  std::span<const std::byte> bytes;

  std::size_t element_count() const { return bytes.size() / size_of(dtype); }
};

/// Bytes of a tensor with these dimensions, or nothing when a dimension is
/// negative or the product does not fit 63 bits.
std::optional<std::uint64_t> byte_size(tensor_dtype dtype,
                                       std::span<const std::int64_t> dims);

/// "[320, 64]", for messages.
std::string dims_text(std::span<const std::int64_t> dims);

} // namespace ganglion::runtime
