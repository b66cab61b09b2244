#include "neuron/packing.hpp"

#include "neuron/panel_writer.hpp"
#include "neuron/source_type.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace ganglion::neuron {

namespace {

using hlo::element_type;

struct matrix_size {
  std::int64_t n, k;
};

matrix_size size_of(const hlo::shape &form) {
  return {form.rank() > 0 ? form.dim(0) : 1, form.rank() > 1 ? form.dim(1) : 1};
}

std::int64_t rounded_up(std::int64_t n, std::int64_t step) {
  return (n + step - 1) / step * step;
}

/// Calls f(From{}, To{}) for a target that the source can become; `Int8` is
/// how s8 is stored.
template <class Int8, class F>
void with_types(const weight_source &source, element_type to, F f) {
  if (to == element_type::s8) {
    if (source.type == element_type::s8)
      return f(std::int8_t{}, Int8{});
    if (source.scales)
      return with_source(source.type, [&](auto from) { f(from, Int8{}); });
  }
  with_source(source.type, [&](auto from) {
    switch (to) {
    case element_type::f32:
      return f(from, float{});
    case element_type::bf16:
      return f(from, bfloat16{});
    case element_type::f16:
      return f(from, float16{});
    default:
      refuse_type(to, "f32, bf16, f16, and s8 from s8 or with scales");
    }
  });
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

} // namespace

std::size_t packed_bytes(const hlo::shape &form, packing how) {
  if (how == packing::row_major)
    return form.bytes();
  const auto [n, k] = size_of(form);
  const bool pairs =
      form.type == element_type::bf16 || form.type == element_type::s8;
  return static_cast<std::size_t>(rounded_up(n, panel_width) *
                                  rounded_up(k, pairs ? 2 : 1)) *
         byte_size(form.type);
}

void pack(const weight_source &source, const hlo::shape &form, packing how,
          std::byte *out) {
  const auto [n, k] = size_of(form);
  require(static_cast<std::int64_t>(source.rows.size()) == n &&
              static_cast<std::int64_t>(source.columns.size()) == k,
          "pack: source does not cover the parameter");
  if (how == packing::panels)
    with_types<int8_weight>(source, form.type,
                            [&]<class From, class To>(From, To) {
                              write_panels<From, To>(source, out);
                            });
  else
    with_types<std::int8_t>(
        source, form.type, [&]<class From, class To>(From, To) {
          write_rows<From>(source, reinterpret_cast<To *>(out));
        });
}

} // namespace ganglion::neuron
