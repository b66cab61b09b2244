#include "neuron/nibble_packing.hpp"

#include "neuron/index_runs.hpp"
#include "neuron/kernels/kernels.hpp"
#include "neuron/kernels/nibble_panel.hpp"
#include "neuron/source_type.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cmath>
#include <cstring>

namespace ganglion::neuron {

namespace {

constexpr float most_code = 7.0f;

/// Magnitudes order as their bits do, NaN above infinity.
float largest(const float *x, std::int64_t n) {
  std::uint32_t most = 0;
  for (std::int64_t i = 0; i < n; ++i)
    most = std::max(most, std::bit_cast<std::uint32_t>(x[i]) & 0x7fffffffu);
  return std::bit_cast<float>(most);
}

float16 scale_of(float most, std::int64_t row, const std::string &where) {
  const float16 scale = to_float16(most / most_code);
  if (!std::isfinite(to_float(scale)))
    throw error(error_code::corrupt_data,
                "output " + std::to_string(row) +
                    " has weights that are not finite or above 458528; int4 "
                    "needs smaller ones",
                where);
  return scale;
}

void encode(const float *x, std::int64_t n, float scale, std::int8_t *out) {
  const float divisor = divisor_of(scale);
  for (std::int64_t i = 0; i < n; ++i) {
    constexpr float rounder = 0x1.8p23f; // leaves no room for a fraction
    const float units = std::clamp(x[i] / divisor, -most_code, most_code);
    out[i] = static_cast<std::int8_t>((units + rounder) - rounder);
  }
}

/// Elements of a row that has been read from a source, in f32.
template <class From>
void read_row(const weight_source &s, std::int64_t n,
              const std::vector<index_run> &columns, std::vector<float> &out) {
  std::ranges::fill(out, 0.0f);
  if (s.rows[n] < 0)
    return;
  for (const auto &[at, first, count] : columns)
    if (first >= 0)
      convert(
          run_of_row<From>(s, s.rows[n], first), count,
          [](std::int64_t) { return 1.0f; }, out.data() + at);
}

/// The row that follows `n` others, or -1 where it is padding.
struct place_of_row {
  const weight_source *source;
  std::int64_t row;
};
place_of_row find_row(std::span<const weight_source> parts, std::int64_t n) {
  for (const auto &part : parts) {
    const auto rows = static_cast<std::int64_t>(part.rows.size());
    if (n < rows)
      return {&part, part.rows[n]};
    n -= rows;
  }
  return {nullptr, -1};
}

int code_at(const place_of_row &from, std::int64_t column) {
  if (from.row < 0 ||
      column >= static_cast<std::int64_t>(from.source->columns.size()))
    return 0;
  const auto index = from.source->columns[column];
  return index < 0 ? 0
                   : run_of_row<std::int8_t>(*from.source, from.row, index)[0];
}

void write_row(const place_of_row &from, std::int64_t steps, std::byte *out) {
  for (std::int64_t s = 0; s < steps; ++s, out += 4 * panel_width) {
    nibble_weight bytes[4];
    for (std::int64_t j = 0; j < 4; ++j)
      bytes[j] = nibbles_of(code_at(from, s * nibble_step + j),
                            code_at(from, s * nibble_step + 4 + j));
    std::memcpy(out, bytes, sizeof bytes);
  }
}

} // namespace

void int4_codes(const weight_source &source, std::int64_t group,
                const std::string &where, std::int8_t *codes, float16 *scales) {
  const auto rows = static_cast<std::int64_t>(source.rows.size());
  const auto width = static_cast<std::int64_t>(source.columns.size());
  const auto groups = (width + group - 1) / group;
  const auto columns = runs_of(source.columns);
  with_source(source.type, [&]<class From>(From) {
    tbb::parallel_for(tbb::blocked_range(std::int64_t{0}, rows, panel_width),
                      [&](const auto &part) {
                        std::vector<float> x(static_cast<std::size_t>(width));
                        for (auto n = part.begin(); n < part.end(); ++n) {
                          read_row<From>(source, n, columns, x);
                          for (std::int64_t g = 0; g < groups; ++g) {
                            const std::int64_t k = g * group;
                            const std::int64_t count =
                                std::min(group, width - k);
                            const auto scale = scale_of(
                                largest(x.data() + k, count), n, where);
                            scales[n * groups + g] = scale;
                            encode(x.data() + k, count, to_float(scale),
                                   codes + n * width + k);
                          }
                        }
                      });
  });
}

void pack_nibbles(std::span<const weight_source> parts, matrix_size size,
                  std::byte *out) {
  const std::int64_t panels = (size.n + panel_width - 1) / panel_width;
  const std::int64_t steps = (size.k + nibble_step - 1) / nibble_step;
  tbb::parallel_for(std::int64_t{0}, panels, [&](std::int64_t panel) {
    std::byte *to = out + panel * steps * 4 * panel_width;
    for (std::int64_t n = 0; n < panel_width; ++n)
      write_row(find_row(parts, panel * panel_width + n), steps, to + 4 * n);
  });
}

} // namespace ganglion::neuron
