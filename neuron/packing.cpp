#include "neuron/packing.hpp"

#include "hlo/literal.hpp"
#include "hlo/support/error.hpp"
#include "hlo/support/float_types.hpp"
#include "hlo/support/rounding.hpp"
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

std::int64_t rounded_up(std::int64_t n, std::int64_t step) {
  return (n + step - 1) / step * step;
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

/// A float that rounds to `to` as the source element itself would.
template <class From>
float read(const std::byte *data, std::int64_t i, element_type to) {
  From value;
  std::memcpy(&value, data + i * sizeof(From), sizeof(From));
  if constexpr (std::is_same_v<From, double>)
    return to == element_type::f32 ? static_cast<float>(value)
                                   : round_to_odd(value);
  else if constexpr (std::is_same_v<From, float>)
    return value;
  else
    return to_float(value);
}

/// Row `n` with `columns` elements of the packed form; what lies outside the
/// source is zero.
template <class From>
void write_row(const weight_source &s, std::int64_t n, std::int64_t columns,
               element_type to, const row_layout &place, std::byte *out) {
  const auto rows = static_cast<std::int64_t>(s.rows.size());
  const auto width = static_cast<std::int64_t>(s.columns.size());
  const std::int64_t row = n < rows ? s.rows[n] : -1;
  for (std::int64_t k = 0; k < columns; ++k) {
    const std::int64_t column = k < width ? s.columns[k] : -1;
    const float v =
        row < 0 || column < 0
            ? 0.0f
            : read<From>(s.data, row * s.row_stride + column * s.column_stride,
                         to);
    const auto i = place.at(k);
    if (to == element_type::f32)
      reinterpret_cast<float *>(out)[i] = v;
    else if (to == element_type::bf16)
      reinterpret_cast<bfloat16 *>(out)[i] = to_bfloat16(v);
    else
      reinterpret_cast<float16 *>(out)[i] = to_float16(v);
  }
}

using row_writer = void (*)(const weight_source &, std::int64_t, std::int64_t,
                            element_type, const row_layout &, std::byte *);

[[noreturn]] void refuse(element_type type, const char *accepted) {
  throw error(error_code::unsupported, "weights of type " +
                                           std::string(to_string(type)) +
                                           "; accepted: " + accepted);
}

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
    refuse(from, "f32, f64, bf16, f16");
  }
}

} // namespace

std::size_t packed_bytes(const hlo::shape &form, packing how) {
  if (how == packing::row_major)
    return form.bytes();
  const auto [n, k] = size_of(form);
  const auto pair = columns_per_step(form.type);
  return static_cast<std::size_t>(rounded_up(n, panel_width) *
                                  rounded_up(k, pair)) *
         byte_size(form.type);
}

void pack(const weight_source &source, const hlo::shape &form, packing how,
          std::byte *out) {
  const auto [n, k] = size_of(form);
  require(static_cast<std::int64_t>(source.rows.size()) == n &&
              static_cast<std::int64_t>(source.columns.size()) == k,
          "pack: source does not cover the parameter");
  const row_writer write = writer_for(source.type);
  if (form.type != element_type::f32 && form.type != element_type::bf16 &&
      form.type != element_type::f16)
    refuse(form.type, "f32, bf16, f16");
  const auto pair = columns_per_step(form.type);
  const bool padded = how == packing::panels;
  const std::int64_t rows = padded ? rounded_up(n, panel_width) : n;
  const std::int64_t columns = padded ? rounded_up(k, pair) : k;
  tbb::parallel_for(std::int64_t{0}, rows, [&, k = k](std::int64_t row) {
    write(source, row, columns, form.type, layout_of(row, k, form.type, how),
          out);
  });
}

} // namespace ganglion::neuron
