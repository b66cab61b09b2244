#include "neuron/index_runs.hpp"
#include "neuron/source_type.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <array>
#include <cmath>

namespace ganglion::neuron {

namespace {

/// Rows of a task: of a transposed source, whole cache lines of each column.
constexpr std::int64_t block_rows = 512;

/// Magnitudes order as their bits do, NaN above infinity.
template <class From>
std::uint32_t magnitude(From value) {
  return std::bit_cast<std::uint32_t>(float_of<float>(value)) & 0x7fffffffu;
}

/// The largest magnitudes of the rows in [begin, end).
template <class From>
class row_maxima {
public:
  row_maxima(const weight_source &s, std::int64_t begin, std::int64_t end)
      : s_(s) {
    if (s.row_stride == 1)
      read_columns(begin, end);
    else
      for (auto n = begin; n < end; ++n)
        if (s.rows[n] >= 0)
          read_row(n, most_[n - begin]);
  }

  /// Of row begin + i; NaN if any element is.
  float at(std::int64_t i) const { return std::bit_cast<float>(most_[i]); }

private:
  void read_row(std::int64_t n, std::uint32_t &most) {
    for (const auto &[at, first, count] : runs_of(s_.columns)) {
      if (first < 0)
        continue;
      const auto in = run_of_row<From>(s_, s_.rows[n], first);
      for (std::int64_t i = 0; i < count; ++i)
        most = std::max(most, magnitude(in[i]));
    }
  }

  void read_columns(std::int64_t begin, std::int64_t end) {
    const auto parts = runs_within(runs_of(s_.rows), begin, end);
    for (const std::int64_t column : s_.columns) {
      if (column < 0)
        continue;
      for (const auto &[at, first, count] : parts) {
        const auto in = run_of_column<From>(s_, first, column);
        for (std::int64_t i = 0; i < count; ++i)
          most_[at + i] = std::max(most_[at + i], magnitude(in[i]));
      }
    }
  }

  const weight_source &s_;
  std::array<std::uint32_t, block_rows> most_{};
};

void check_finite(float most, std::int64_t row, const std::string &where) {
  if (!std::isfinite(most))
    throw error(error_code::corrupt_data,
                "output " + std::to_string(row) +
                    " has weights that are not finite; int8 needs finite ones",
                where);
}

} // namespace

void int8_scales(const weight_source &source, const std::string &where,
                 float *out) {
  const auto rows = static_cast<std::int64_t>(source.rows.size());
  const auto blocks = (rows + block_rows - 1) / block_rows;
  with_source(source.type, [&](auto from) {
    tbb::parallel_for(std::int64_t{0}, blocks, [&](std::int64_t block) {
      const auto begin = block * block_rows;
      const auto end = std::min(begin + block_rows, rows);
      const row_maxima<decltype(from)> most(source, begin, end);
      for (auto n = begin; n < end; ++n) {
        check_finite(most.at(n - begin), n, where);
        out[n] = most.at(n - begin) / 127.0f;
      }
    });
  });
}

} // namespace ganglion::neuron
