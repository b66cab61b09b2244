#include "neuron/element_packing.hpp"

#include "hlo/composites/views.hpp"
#include "hlo/literal.hpp"
#include "hlo/support/error.hpp"
#include "hlo/support/float_types.hpp"
#include "hlo/support/rounding.hpp"
#include "neuron/int8_panel.hpp"
#include "neuron/kernels/kernels.hpp"
#include "neuron/source_type.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ganglion::neuron {

namespace {

using hlo::element_type;

/// Input columns held together in a panel: bf16 keeps pairs for the dot
/// product instruction, and so does s8, which becomes bf16.
std::int64_t columns_per_step(element_type type) {
  return type == element_type::bf16 || type == element_type::s8 ? 2 : 1;
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

/// Row `n` of a row-major form.
row_layout plain_layout(const hlo::shape &form, std::int64_t n) {
  if (form.rank() < 4)
    return {n * matrix_of(form).k, 1, 1, 0};
  constexpr auto tile = hlo::tile_width;
  const auto across = form.dim(2);
  return {n / tile * across * tile + n % tile, tile, tile,
          form.dim(1) * across * tile};
}

row_layout layout_of(const hlo::shape &form, std::int64_t n, packing how) {
  if (how == packing::row_major)
    return plain_layout(form, n);
  const element_type type = form.type;
  const std::int64_t k = matrix_of(form).k;
  const auto pair = columns_per_step(type);
  const auto steps = (k + pair - 1) / pair;
  if (type == element_type::s8)
    return {n / panel_width * steps * int8_step +
                int8_place(n % panel_width, 0),
            int8_step, 2, 1};
  return {n / panel_width * steps * panel_width * pair + n % panel_width * pair,
          panel_width * pair, pair, 1};
}

/// A float that rounds to `to` as the source element itself would.
template <class From>
float read(const std::byte *data, std::int64_t i, element_type to) {
  From value;
  std::memcpy(&value, data + i * sizeof(From), sizeof(From));
  if constexpr (std::is_same_v<From, double>)
    return to == element_type::f32 || to == element_type::s8
               ? static_cast<float>(value)
               : round_to_odd(value);
  else if constexpr (std::is_same_v<From, float> ||
                     std::is_same_v<From, std::int8_t>)
    return value;
  else
    return to_float(value);
}

/// Element (row, k) of the source; what lies outside is zero.
template <class From>
float element(const weight_source &s, std::int64_t row, std::int64_t k,
              element_type to) {
  const auto width = static_cast<std::int64_t>(s.columns.size());
  const std::int64_t column = k < width ? s.columns[k] : -1;
  return row < 0 || column < 0
             ? 0.0f
             : read<From>(s.data, row * s.row_stride + column * s.column_stride,
                          to);
}

int quantised(float v, float scale) {
  return scale > 0.0f ? static_cast<int>(std::clamp(std::nearbyint(v / scale),
                                                    -127.0f, 127.0f))
                      : 0;
}

/// Where row `n` of the packed form goes, and how its elements are written.
struct row_target {
  element_type to;
  packing how;
  row_layout place;
  std::byte *out;
  float scale; ///< of an s8 row

  void put(std::int64_t k, float v) const {
    const auto i = place.at(k);
    if (to == element_type::f32)
      reinterpret_cast<float *>(out)[i] = v;
    else if (to == element_type::bf16)
      reinterpret_cast<bfloat16 *>(out)[i] = to_bfloat16(v);
    else if (to == element_type::f16)
      reinterpret_cast<float16 *>(out)[i] = to_float16(v);
    else if (const int q = quantised(v, scale); how == packing::panels)
      reinterpret_cast<std::uint8_t *>(out)[i] = int8_code(q);
    else
      reinterpret_cast<std::int8_t *>(out)[i] = static_cast<std::int8_t>(q);
  }
};

/// The source row behind row `n` of the packed form, or -1.
std::int64_t source_row(const weight_source &s, std::int64_t n) {
  return n < static_cast<std::int64_t>(s.rows.size()) ? s.rows[n] : -1;
}

template <class From>
void write_row(const weight_source &s, std::int64_t n, std::int64_t columns,
               const row_target &target) {
  const std::int64_t row = source_row(s, n);
  for (std::int64_t k = 0; k < columns; ++k)
    target.put(k, element<From>(s, row, k, target.to));
}

} // namespace

std::int64_t element_place(const hlo::shape &form, std::int64_t n,
                           std::int64_t k) {
  return plain_layout(form, n).at(k);
}

void pack_elements(const weight_source &source, const hlo::shape &form,
                   packing how, row_range to, std::byte *out) {
  const std::int64_t k = matrix_of(form).k;
  const std::int64_t columns =
      how == packing::panels ? rounded_up(k, columns_per_step(form.type)) : k;
  const auto own = static_cast<std::int64_t>(source.rows.size());
  const auto write = [&](auto from) {
    tbb::parallel_for(std::int64_t{0}, to.count, [&](std::int64_t row) {
      const bool scaled = source.scales && row < own;
      write_row<decltype(from)>(source, row, columns,
                                {form.type, how,
                                 layout_of(form, to.first + row, how), out,
                                 scaled ? source.scales[row] : 1.0f});
    });
  };
  if (source.type == element_type::s8)
    write(std::int8_t{});
  else
    with_source(source.type, write);
}

} // namespace ganglion::neuron
