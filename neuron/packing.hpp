// How a program wants its parameters in memory, and the conversion from
// checkpoint tensors: slices, transposes, padding and rounding in one pass.
#pragma once

#include "hlo/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ganglion::neuron {

enum class packing {
  row_major, ///< as the logical shape says, tiles and all
  /// [N, K] as [N / 64][K][64], bf16 as [N / 64][K / 2][64][2], s8 as
  /// [N / 64][K / 2] steps of int8_panel.hpp.
  panels,
  /// s8 [N, K] as [N / 64][K / 4][64][4], see quad_panel.hpp.
  quads,
  /// s8 [N, K] from -8 to 7 as [N / 64][K / 8][64][4], see nibble_panel.hpp,
  /// and f16, which their scales are, in panels.
  nibbles,
};

/// The matrix [N, K] that a parameter of this shape holds, padding included: a
/// vector is one column; of rank 3 and 4 see hlo::tiling.
struct matrix_size {
  std::int64_t n, k;
};
matrix_size matrix_of(const hlo::shape &form);

/// Where element (n, k) of a row-major parameter of this shape lies.
std::int64_t element_place(const hlo::shape &form, std::int64_t n,
                           std::int64_t k);

/// Bytes a parameter of this logical shape takes.
std::size_t packed_bytes(const hlo::shape &form, packing how);

/// Where the elements of a matrix (or, with one column, a vector) come from.
/// Element (n, k) is data[rows[n] * row_stride + columns[k] * column_stride];
/// an index of -1 stands for padding with zeros. Borrows `data` and `scales`.
struct weight_source {
  hlo::element_type type = hlo::element_type::f32;
  const std::byte *data = nullptr;
  std::int64_t row_stride = 1, column_stride = 1;
  std::vector<std::int64_t> rows, columns;
  /// Of every row, when floats become s8: see `int8_scales`.
  const float *scales = nullptr;
};

/// A row-major matrix [n, k] as it is.
weight_source matrix_source(hlo::element_type type, const void *data,
                            matrix_size size);

/// Fills all of `out`, of packed_bytes(form, how) bytes and aligned to 16,
/// converting to form.type with one rounding; padding becomes zero. `form` is
/// f32, bf16 or f16, or s8 from s8 or with scales: then an element is its value
/// in f32 over the row's scale, rounded half to even, from -127 to 127; 0 where
/// the scale is. Throws `unsupported` for another type on either side. Runs on
/// oneTBB's threads.
void pack(const weight_source &source, const hlo::shape &form, packing how,
          std::byte *out);

/// The same of several sources of one width whose rows follow each other. A
/// tiled form may be larger than they are: the rest is zero.
void pack(std::span<const weight_source> parts, const hlo::shape &form,
          packing how, std::byte *out);

/// The symmetric int8 scale of every row of `source`, max |w| / 127 in f32,
/// into `out`. Throws `corrupt_data` at `where` for a row that is not finite.
/// Runs on oneTBB's threads.
void int8_scales(const weight_source &source, const std::string &where,
                 float *out);

} // namespace ganglion::neuron
