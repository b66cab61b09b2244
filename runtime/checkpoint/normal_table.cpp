#include "runtime/checkpoint/normal_table.hpp"

#include "hlo/support/float_types.hpp"

#include <cmath>
#include <cstring>
#include <numbers>

namespace ganglion::runtime {

namespace {

constexpr std::size_t table_size = 1 << 16;

/// The positive quantiles of the standard normal, in ascending order, by
/// Newton steps from one to the next.
std::vector<double> upper_quantiles() {
  std::vector<double> out;
  double x = 0;
  for (std::size_t i = 0; i < table_size / 2; ++i) {
    const double above = 0.5 - (double(i) + 0.5) / double(table_size);
    for (int step = 0; step < 8; ++step) {
      const double tail = 0.5 * std::erfc(x / std::numbers::sqrt2);
      const double density =
          std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
      x += (tail - above) / density;
    }
    out.push_back(x);
  }
  return out;
}

/// A well-mixed 64-bit number for each counter (the finaliser multiplies and
/// folds until every input bit reaches every output bit).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

template <class Element>
void fill_from(const std::byte *table, std::uint64_t stream,
               std::span<std::byte> out) {
  const std::uint64_t start = mix(stream + 0x9e3779b97f4a7c15u);
  const std::size_t count = out.size() / sizeof(Element);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i, bits >>= 16) {
    if (i % 4 == 0)
      bits = mix(start + i);
    std::memcpy(out.data() + i * sizeof(Element),
                table + (bits & 0xffff) * sizeof(Element), sizeof(Element));
  }
}

} // namespace

void append_element(tensor_dtype dtype, float value,
                    std::vector<std::byte> &out) {
  const auto append = [&](const auto &stored) {
    const auto *bytes = reinterpret_cast<const std::byte *>(&stored);
    out.insert(out.end(), bytes, bytes + sizeof stored);
  };
  if (dtype == tensor_dtype::f32)
    append(value);
  else if (dtype == tensor_dtype::f16)
    append(to_float16(value));
  else
    append(to_bfloat16(value));
}

normal_table::normal_table(tensor_dtype dtype, double deviation)
    : element_size_(size_of(dtype)) {
  for (const double quantile : upper_quantiles())
    for (const double sign : {1.0, -1.0})
      append_element(dtype, static_cast<float>(sign * deviation * quantile),
                     quantiles_);
}

void normal_table::fill(std::uint64_t stream, std::span<std::byte> out) const {
  if (element_size_ == sizeof(std::uint32_t))
    fill_from<std::uint32_t>(quantiles_.data(), stream, out);
  else
    fill_from<std::uint16_t>(quantiles_.data(), stream, out);
}

} // namespace ganglion::runtime
