// Writes the panels of one weight, a tile at a time: elements are converted
// row by row, in the order of the file, and then transposed within the cache.
#pragma once

#include "neuron/element_run.hpp"
#include "neuron/index_runs.hpp"
#include "neuron/source_type.hpp"
#include "neuron/transpose.hpp"

namespace ganglion::neuron {

/// What a step of a panel consists of: units of input columns that stay
/// together; see `columns_per_step`.
template <class To>
struct panel_step {
  using unit =
      std::conditional_t<sizeof(To) == 2, std::uint16_t, std::uint32_t>;
  static constexpr std::int64_t columns = 1;
  static constexpr std::int64_t place(std::int64_t n) { return n; }
};
template <>
struct panel_step<bfloat16> {
  using unit = std::uint32_t;
  static constexpr std::int64_t columns = 2;
  static constexpr std::int64_t place(std::int64_t n) { return n; }
};
template <>
struct panel_step<int8_weight> {
  using unit = std::uint16_t;
  static constexpr std::int64_t columns = 2;
  static constexpr std::int64_t place(std::int64_t n) {
    return int8_place(n, 0) / columns;
  }
};
template <>
struct panel_step<quad_weight> {
  using unit = std::uint32_t;
  static constexpr std::int64_t columns = 4;
  static constexpr std::int64_t place(std::int64_t n) { return n; }
};

/// Panels of `To` out of a source of `From`. Panels are independent: any
/// number of threads may write different ones.
template <class From, class To>
class panel_writer {
public:
  using step = panel_step<To>;
  using unit = typename step::unit;

  /// Borrows all of it.
  panel_writer(const weight_source &source, std::byte *out)
      : s_(source),
        rows_(runs_of(source.rows)),
        columns_(runs_of(source.columns)),
        width_(static_cast<std::int64_t>(source.columns.size())),
        steps_((width_ + step::columns - 1) / step::columns),
        out_(reinterpret_cast<unit *>(out)) {}

  /// Panels that one task should write: where rows are neighbours in memory,
  /// enough of them to read whole cache lines of each column.
  std::int64_t panels_at_once() const {
    return by_columns() ? group_panels : 1;
  }

  void write(std::int64_t first, std::int64_t last) const {
    if (by_columns())
      write_by_columns(first, last);
    else
      for (; first < last; ++first)
        write_by_rows(first);
    _mm_sfence();
  }

private:
  /// Columns of a tile: long enough for a memory's pages, and all of it
  /// within a cache of the second level.
  static constexpr std::int64_t tile_width = 2048 / sizeof(To);
  /// Rows a power of two apart would share few sets of the cache.
  static constexpr std::int64_t pitch = tile_width + 64 / sizeof(To);

  static constexpr std::int64_t group_panels = 8;
  static constexpr std::int64_t group_rows = group_panels * panel_width;

  bool by_columns() const { return s_.row_stride == 1 && width_ > 1; }

  unit *panel(std::int64_t p) const { return out_ + p * steps_ * panel_width; }

  float divisor(std::int64_t n) const {
    const bool scaled = s_.scales && n < std::int64_t(s_.rows.size());
    return scaled ? divisor_of(s_.scales[n]) : 1.0f;
  }

  void write_by_rows(std::int64_t p) const {
    alignas(64) To tile[panel_width * pitch];
    panel_rows<unit> starts;
    for (std::int64_t n = 0; n < panel_width; ++n)
      starts[step::place(n)] = reinterpret_cast<const unit *>(tile + n * pitch);
    for (std::int64_t k = 0; k < width_; k += tile_width) {
      const auto end = std::min(k + tile_width, steps_ * step::columns);
      const auto parts = runs_within(columns_, k, end);
      const bool whole = parts.size() == 1 && parts[0].count == end - k;
      for (std::int64_t n = 0; n < panel_width; ++n)
        fill_row(p * panel_width + n, parts, whole, tile + n * pitch);
      transpose_panel(starts, (end - k) / step::columns,
                      panel(p) + k / step::columns * panel_width);
    }
  }

  void fill_row(std::int64_t n, const std::vector<index_run> &parts, bool whole,
                To *out) const {
    const bool padding =
        n >= static_cast<std::int64_t>(s_.rows.size()) || s_.rows[n] < 0;
    if (padding || !whole)
      std::fill_n(out, tile_width, stored_zero<To>);
    if (padding)
      return;
    for (const auto &[at, first, count] : parts)
      convert(
          run_of_row<From>(s_, s_.rows[n], first), count,
          [d = divisor(n)](std::int64_t) { return d; }, out + at);
  }

  void write_by_columns(std::int64_t first, std::int64_t last) const {
    for (; first < last; first += group_panels)
      write_group(first, std::min(first + group_panels, last));
  }

  void write_group(std::int64_t first, std::int64_t last) const {
    const std::int64_t base = first * panel_width;
    const auto parts = runs_within(rows_, base, last * panel_width);
    std::array<float, group_rows> divisors{};
    for (std::int64_t n = 0; n < group_rows; ++n)
      divisors[n] = divisor(base + n);
    To columns[step::columns][group_rows];
    for (auto &column : columns)
      std::fill_n(column, group_rows, stored_zero<To>);
    for (std::int64_t k = 0; k < steps_; ++k) {
      for (std::int64_t j = 0; j < step::columns; ++j)
        fill_column(k * step::columns + j, parts, divisors, columns[j]);
      for (auto p = first; p < last; ++p)
        interleave(columns, (p - first) * panel_width,
                   panel(p) + k * panel_width);
    }
  }

  void fill_column(std::int64_t k, const std::vector<index_run> &parts,
                   const std::array<float, group_rows> &divisors,
                   To *out) const {
    const auto column = k < width_ ? s_.columns[k] : -1;
    if (column < 0) {
      std::fill_n(out, group_rows, stored_zero<To>);
      return;
    }
    for (const auto &[at, first, count] : parts)
      convert(
          run_of_column<From>(s_, first, column), count,
          [d = divisors.data() + at](std::int64_t i) { return d[i]; },
          out + at);
  }

  /// A step of a panel out of its columns, from output `base` of them on.
  static void interleave(const To (&columns)[step::columns][group_rows],
                         std::int64_t base, unit *step_out) {
    auto *out = reinterpret_cast<To *>(step_out);
    for (std::int64_t n = 0; n < panel_width; ++n)
      for (std::int64_t j = 0; j < step::columns; ++j)
        out[step::place(n) * step::columns + j] = columns[j][base + n];
  }

  const weight_source &s_;
  std::vector<index_run> rows_, columns_;
  std::int64_t width_, steps_;
  unit *out_;
};

} // namespace ganglion::neuron
