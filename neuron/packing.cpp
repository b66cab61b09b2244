#include "neuron/packing.hpp"

#include "hlo/support/error.hpp"
#include "neuron/element_packing.hpp"
#include "neuron/kernels/nibble_panel.hpp"
#include "neuron/nibble_packing.hpp"
#include "neuron/panel_writer.hpp"
#include "neuron/source_type.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <numeric>

namespace ganglion::neuron {

namespace {

using hlo::element_type;

std::int64_t rounded_up(std::int64_t n, std::int64_t step) {
  return (n + step - 1) / step * step;
}

/// Row `n` of the row-major form.
template <class From, class To>
void write_row(const weight_source &s, std::int64_t n,
               const std::vector<index_run> &columns, To *out) {
  const float divisor = s.scales ? divisor_of(s.scales[n]) : 1.0f;
  for (const auto &[at, first, count] : columns)
    if (first < 0 || s.rows[n] < 0)
      std::fill_n(out + at, count, To{});
    else
      convert(
          run_of_row<From>(s, s.rows[n], first), count,
          [=](std::int64_t) { return divisor; }, out + at);
}

template <class From, class To>
void write_rows(const weight_source &s, To *out) {
  const auto rows = static_cast<std::int64_t>(s.rows.size());
  const auto width = static_cast<std::int64_t>(s.columns.size());
  const auto columns = runs_of(s.columns);
  // Whole cache lines of the result to each task.
  tbb::parallel_for(tbb::blocked_range(std::int64_t{0}, rows, panel_width),
                    [&](const auto &part) {
                      for (auto n = part.begin(); n < part.end(); ++n)
                        write_row<From>(s, n, columns, out + n * width);
                    });
}

template <class From, class To>
void write_panels(const weight_source &s, std::byte *out) {
  const panel_writer<From, To> writer(s, out);
  const auto panels =
      rounded_up(static_cast<std::int64_t>(s.rows.size()), panel_width) /
      panel_width;
  tbb::parallel_for(
      tbb::blocked_range(std::int64_t{0}, panels, writer.panels_at_once()),
      [&](const auto &part) { writer.write(part.begin(), part.end()); });
}

/// Refuses a target that the source cannot become.
void check_types(const weight_source &source, element_type to) {
  const bool whole = source.type == element_type::s8;
  if (to == element_type::s8
          ? !whole && !source.scales
          : to != element_type::f32 && to != element_type::bf16 &&
                to != element_type::f16)
    refuse_type(to, "f32, bf16, f16, and s8 from s8 or with scales");
  if (whole && to != element_type::s8)
    refuse_type(source.type, "f32, f64, bf16, f16");
}

/// A source that is the whole parameter, or whole panels of it.
void pack_whole(const weight_source &source, element_type to, packing how,
                std::byte *out) {
  if (how == packing::quads)
    with_types<quad_weight>(source, to, [&]<class From, class To>(From, To) {
      write_panels<From, To>(source, out);
    });
  else if (how == packing::panels)
    with_types<int8_weight>(source, to, [&]<class From, class To>(From, To) {
      write_panels<From, To>(source, out);
    });
  else
    with_types<std::int8_t>(source, to, [&]<class From, class To>(From, To) {
      write_rows<From>(source, reinterpret_cast<To *>(out));
    });
}

/// Whether the rows from `first` on can be written as a parameter of their
/// own: they share no panel with others, and only the last may be unfilled.
bool stands_alone(std::int64_t first, std::int64_t rows, bool last,
                  packing how) {
  return how == packing::row_major ||
         (first % panel_width == 0 && (last || rows % panel_width == 0));
}

} // namespace

matrix_size matrix_of(const hlo::shape &form) {
  switch (form.rank()) {
  case 0:
    return {1, 1};
  case 1:
    return {form.dim(0), 1};
  case 2:
    return {form.dim(0), form.dim(1)};
  case 3:
    return {form.dim(0) * form.dim(1), form.dim(2)};
  default:
    return {form.dim(1) * form.dim(3), form.dim(2) * form.dim(0)};
  }
}

weight_source matrix_source(element_type type, const void *data,
                            matrix_size size) {
  weight_source s;
  s.type = type;
  s.data = static_cast<const std::byte *>(data);
  s.row_stride = size.k;
  s.rows.resize(static_cast<std::size_t>(size.n));
  s.columns.resize(static_cast<std::size_t>(size.k));
  std::iota(s.rows.begin(), s.rows.end(), 0);
  std::iota(s.columns.begin(), s.columns.end(), 0);
  return s;
}

std::size_t packed_bytes(const hlo::shape &form, packing how) {
  if (how == packing::row_major)
    return form.bytes();
  const auto [n, k] = matrix_of(form);
  if (how == packing::nibbles && form.type == element_type::s8)
    return static_cast<std::size_t>(rounded_up(n, panel_width) *
                                    rounded_up(k, nibble_step) / 2);
  return static_cast<std::size_t>(
             rounded_up(n, panel_width) *
             rounded_up(k, columns_per_step(form.type, how))) *
         byte_size(form.type);
}

void pack(const weight_source &source, const hlo::shape &form, packing how,
          std::byte *out) {
  pack(std::span(&source, 1), form, how, out);
}

void pack(std::span<const weight_source> parts, const hlo::shape &form,
          packing how, std::byte *out) {
  const auto [n, k] = matrix_of(form);
  const bool tiles = form.rank() > 2;
  require(how != packing::quads || form.type == element_type::s8,
          "pack: quads are of s8");
  std::int64_t covered = 0;
  for (const weight_source &part : parts) {
    const auto width = static_cast<std::int64_t>(part.columns.size());
    require(tiles ? width <= k : width == k,
            "pack: a source is not as wide as the parameter");
    check_types(part, form.type);
    covered += static_cast<std::int64_t>(part.rows.size());
  }
  require(tiles ? covered <= n : covered == n,
          "pack: sources do not cover the parameter");
  if (how == packing::nibbles) {
    if (form.type == element_type::s8)
      return pack_nibbles(parts, {n, k}, out);
    how = packing::panels;
  }
  const std::int64_t rows =
      how == packing::row_major ? n : rounded_up(n, panel_width);
  std::int64_t first = 0;
  for (const weight_source &part : parts) {
    const auto own = static_cast<std::int64_t>(part.rows.size());
    const bool last = &part == &parts.back(); // which padding follows
    if (!tiles && stands_alone(first, own, last, how))
      pack_whole(
          part, form.type, how,
          out + packed_bytes(hlo::array_shape(form.type, {first, k}), how));
    else
      pack_elements(part, form, how, {first, last ? rows - first : own}, out);
    first += own;
  }
}

} // namespace ganglion::neuron
