#include "neuron/packing.hpp"

#include "hlo/literal.hpp"
#include "hlo/support/error.hpp"
#include "hlo/support/float_types.hpp"
#include "neuron/kernels/kernels.hpp"

#include <tbb/parallel_for.h>

#include <cstring>

namespace ganglion::neuron {

namespace {

using hlo::element_type;

struct matrix_size {
  std::int64_t n, k;
};

matrix_size size_of(const hlo::shape &form) {
  return {form.rank() > 0 ? form.dim(0) : 1, form.rank() > 1 ? form.dim(1) : 1};
}

/// Input columns held together in a panel: bf16 keeps pairs for the dot
/// product instruction.
std::int64_t columns_per_step(element_type type) {
  return type == element_type::bf16 ? 2 : 1;
}

/// Places of a row's elements in the packed form: offset of column k.
struct row_layout {
  std::int64_t first, step_stride, columns_per_step, column_stride;
  std::int64_t at(std::int64_t k) const {
    return first + k / columns_per_step * step_stride +
           k % columns_per_step * column_stride;
  }
};

row_layout layout_of(std::int64_t n, std::int64_t k, element_type type,
                     packing how) {
  if (how == packing::row_major)
    return {n * k, 1, 1, 0};
  const auto pair = columns_per_step(type);
  const auto steps = (k + pair - 1) / pair;
  return {n / panel_width * steps * panel_width * pair + n % panel_width * pair,
          panel_width * pair, pair, 1};
}

template <class From>
float read(const std::byte *data, std::int64_t i) {
  From value;
  std::memcpy(&value, data + i * sizeof(From), sizeof(From));
  if constexpr (std::is_arithmetic_v<From>)
    return static_cast<float>(value);
  else
    return to_float(value);
}

template <class From>
void write_row(const weight_source &s, std::int64_t n, element_type to,
               const row_layout &place, std::byte *out) {
  const std::int64_t row = s.rows[n];
  if (row < 0)
    return; // `out` is zero already
  for (std::size_t k = 0; k < s.columns.size(); ++k) {
    if (s.columns[k] < 0)
      continue;
    const float v =
        read<From>(s.data, row * s.row_stride + s.columns[k] * s.column_stride);
    const auto i = place.at(static_cast<std::int64_t>(k));
    if (to == element_type::f32)
      reinterpret_cast<float *>(out)[i] = v;
    else if (to == element_type::bf16)
      reinterpret_cast<bfloat16 *>(out)[i] = to_bfloat16(v);
    else
      reinterpret_cast<float16 *>(out)[i] = to_float16(v);
  }
}

using row_writer = void (*)(const weight_source &, std::int64_t, element_type,
                            const row_layout &, std::byte *);

row_writer writer_for(element_type from) {
  switch (from) {
  case element_type::f32:
    return write_row<float>;
  case element_type::f64:
    return write_row<double>;
  case element_type::bf16:
    return write_row<bfloat16>;
  case element_type::f16:
    return write_row<float16>;
  default:
    throw error(error_code::unsupported, "weights of type " +
                                             std::string(to_string(from)) +
                                             "; accepted: f32, f64, bf16, f16");
  }
}

} // namespace

std::size_t packed_bytes(const hlo::shape &form, packing how) {
  if (how == packing::row_major)
    return form.bytes();
  const auto [n, k] = size_of(form);
  const auto pair = columns_per_step(form.type);
  return static_cast<std::size_t>((n + panel_width - 1) / panel_width *
                                  panel_width * ((k + pair - 1) / pair) *
                                  pair) *
         byte_size(form.type);
}

void pack(const weight_source &source, const hlo::shape &form, packing how,
          std::byte *out) {
  const auto [n, k] = size_of(form);
  require(static_cast<std::int64_t>(source.rows.size()) == n &&
              static_cast<std::int64_t>(source.columns.size()) == k,
          "pack: source does not cover the parameter");
  const row_writer write = writer_for(source.type);
  tbb::parallel_for(std::int64_t{0}, n, [&](std::int64_t row) {
    row_layout place = layout_of(row, k, form.type, how);
    write(source, row, form.type, place, out);
  });
}

} // namespace ganglion::neuron
