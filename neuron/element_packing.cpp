#include "neuron/element_packing.hpp"

#include "hlo/composites/views.hpp"
#include "neuron/kernels/int8_panel.hpp"
#include "neuron/kernels/kernels.hpp"
#include "neuron/source_type.hpp"

#include <tbb/parallel_for.h>

namespace ganglion::neuron {

namespace {

using hlo::element_type;

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
  const auto pair = columns_per_step(type, how);
  const auto steps = (k + pair - 1) / pair;
  if (type == element_type::s8 && how == packing::panels)
    return {n / panel_width * steps * int8_step +
                int8_place(n % panel_width, 0),
            int8_step, 2, 1};
  return {n / panel_width * steps * panel_width * pair + n % panel_width * pair,
          panel_width * pair, pair, 1};
}

/// Row `n` of `s`, and what lies outside as zeros, at their places in `out`.
template <class From, class To>
void write_row(const weight_source &s, std::int64_t n, std::int64_t columns,
               const row_layout &place, To *out) {
  const auto rows = static_cast<std::int64_t>(s.rows.size());
  const auto width = static_cast<std::int64_t>(s.columns.size());
  const std::int64_t row = n < rows ? s.rows[n] : -1;
  const float divisor = s.scales && n < rows ? divisor_of(s.scales[n]) : 1.0f;
  for (std::int64_t k = 0; k < columns; ++k) {
    const std::int64_t column = k < width ? s.columns[k] : -1;
    out[place.at(k)] =
        row < 0 || column < 0
            ? stored_zero<To>
            : stored_as<To>(run_of_row<From>(s, row, column)[0], divisor);
  }
}

} // namespace

std::int64_t columns_per_step(element_type type, packing how) {
  return how == packing::quads                                    ? 4
         : type == element_type::bf16 || type == element_type::s8 ? 2
                                                                  : 1;
}

std::int64_t element_place(const hlo::shape &form, std::int64_t n,
                           std::int64_t k) {
  return plain_layout(form, n).at(k);
}

void pack_elements(const weight_source &source, const hlo::shape &form,
                   packing how, row_range to, std::byte *out) {
  const std::int64_t k = matrix_of(form).k;
  const std::int64_t columns =
      how == packing::row_major
          ? k
          : rounded_up(k, columns_per_step(form.type, how));
  const auto write = [&]<class From, class To>(From, To) {
    tbb::parallel_for(std::int64_t{0}, to.count, [&](std::int64_t row) {
      write_row<From>(source, row, columns,
                      layout_of(form, to.first + row, how),
                      reinterpret_cast<To *>(out));
    });
  };
  if (how == packing::quads)
    with_types<quad_weight>(source, form.type, write);
  else if (how == packing::panels)
    with_types<int8_weight>(source, form.type, write);
  else
    with_types<std::int8_t>(source, form.type, write);
}

} // namespace ganglion::neuron
