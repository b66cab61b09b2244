#include "runtime/checkpoint/strided_tensor.hpp"

#include <algorithm>
#include <cstring>

namespace ganglion::runtime {

namespace {

bool is_empty(const strided_layout &layout) {
  return std::ranges::find(layout.dims, 0) != layout.dims.end();
}

} // namespace

bool is_packed(const strided_layout &layout) {
  if (is_empty(layout))
    return true;
  std::int64_t expected = 1;
  for (std::size_t i = layout.dims.size(); i-- > 0;) {
    // A dimension of one is never stepped over: its stride says nothing.
    if (layout.dims[i] == 1)
      continue;
    if (layout.strides[i] != expected ||
        __builtin_mul_overflow(expected, layout.dims[i], &expected))
      return false;
  }
  return true;
}

std::optional<std::uint64_t> end_of(const strided_layout &layout) {
  const auto negative = [](std::int64_t n) { return n < 0; };
  if (layout.offset < 0 || std::ranges::any_of(layout.dims, negative) ||
      std::ranges::any_of(layout.strides, negative))
    return std::nullopt;
  std::int64_t end = layout.offset;
  if (is_empty(layout))
    return static_cast<std::uint64_t>(end);
  for (std::size_t i = 0; i < layout.dims.size(); ++i) {
    std::int64_t step = 0;
    if (__builtin_mul_overflow(layout.dims[i] - 1, layout.strides[i], &step) ||
        __builtin_add_overflow(end, step, &end))
      return std::nullopt;
  }
  return static_cast<std::uint64_t>(end) + 1;
}

std::vector<std::byte> pack(const strided_layout &layout,
                            std::span<const std::byte> storage,
                            std::size_t element_size) {
  std::vector<std::byte> out;
  if (is_empty(layout))
    return out;
  std::size_t count = 1;
  for (const std::int64_t dim : layout.dims)
    count *= static_cast<std::size_t>(dim);
  out.resize(count * element_size);
  std::vector<std::int64_t> index(layout.dims.size(), 0);
  std::int64_t at = layout.offset;
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(out.data() + i * element_size,
                storage.data() + static_cast<std::size_t>(at) * element_size,
                element_size);
    for (std::size_t d = index.size(); d-- > 0;) {
      at += layout.strides[d];
      if (++index[d] < layout.dims[d])
        break;
      at -= layout.strides[d] * layout.dims[d];
      index[d] = 0;
    }
  }
  return out;
}

} // namespace ganglion::runtime
