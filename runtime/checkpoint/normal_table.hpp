// Normally distributed weights at memory speed: 16 random bits choose one of
// 65,536 equally likely quantiles, stored in the element type already.
#pragma once

#include "runtime/checkpoint/tensor_dtype.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ganglion::runtime {

/// Any thread may call `fill`.
class normal_table {
public:
  /// Quantiles with this standard deviation as f32, f16 or bf16.
  normal_table(tensor_dtype dtype, double deviation);

  /// Fills `out` with elements; the same `stream` gives the same bytes.
  void fill(std::uint64_t stream, std::span<std::byte> out) const;

private:
  std::size_t element_size_;
  std::vector<std::byte> quantiles_;
};

/// One element of `value` in a f32, f16 or bf16 tensor, appended to `out`.
void append_element(tensor_dtype dtype, float value,
                    std::vector<std::byte> &out);

} // namespace ganglion::runtime
