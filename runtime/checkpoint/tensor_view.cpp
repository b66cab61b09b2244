#include "runtime/checkpoint/tensor_view.hpp"

#include <algorithm>

namespace ganglion::runtime {

std::optional<std::uint64_t> byte_size(tensor_dtype dtype,
                                       std::span<const std::int64_t> dims) {
  if (std::ranges::any_of(dims, [](std::int64_t d) { return d < 0; }))
    return std::nullopt;
  // A zero makes the tensor empty however large the other dimensions are.
  if (std::ranges::find(dims, 0) != dims.end())
    return 0;
  auto total = static_cast<std::int64_t>(size_of(dtype));
  for (const std::int64_t dim : dims)
    if (__builtin_mul_overflow(total, dim, &total))
      return std::nullopt;
  return static_cast<std::uint64_t>(total);
}

std::string dims_text(std::span<const std::int64_t> dims) {
  std::string out = "[";
  for (const std::int64_t dim : dims)
    out += (out.size() > 1 ? ", " : "") + std::to_string(dim);
  return out + "]";
}

} // namespace ganglion::runtime
