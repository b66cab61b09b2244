// How a program wants its parameters in memory, and the conversion from
// checkpoint tensors: slices, transposes, padding and rounding in one pass.
#pragma once

#include "hlo/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ganglion::neuron {

enum class packing {
  row_major, ///< as the logical shape says
  panels,    ///< [N, K] as [N / 64][K][64], bf16 as [N / 64][K / 2][64][2]
};

/// Bytes a parameter of this logical shape takes.
std::size_t packed_bytes(const hlo::shape &form, packing how);

/// Where the elements of a matrix (or, with one column, a vector) come from.
/// Element (n, k) is data[rows[n] * row_stride + columns[k] * column_stride];
/// an index of -1 stands for padding with zeros. Borrows `data`.
struct weight_source {
  hlo::element_type type = hlo::element_type::f32;
  const std::byte *data = nullptr;
  std::int64_t row_stride = 1, column_stride = 1;
  std::vector<std::int64_t> rows, columns;
};

/// Fills all of `out`, of packed_bytes(form, how) bytes, converting to
/// form.type with one rounding; padding becomes zero. `form` is f32, bf16 or
/// f16; throws `unsupported` for another type on either side. Runs on oneTBB's
/// threads.
void pack(const weight_source &source, const hlo::shape &form, packing how,
          std::byte *out);

} // namespace ganglion::neuron
