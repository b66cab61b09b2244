#include "hlo/evaluator/groups.hpp"
#include "hlo/support/error.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

namespace ganglion::hlo {

namespace {

/// Mixes a counter into 64 bits that look random (splitmix64).
std::uint64_t mixed(std::uint64_t counter) {
  std::uint64_t z = counter * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Which sequence of numbers the instruction draws.
std::uint64_t stream_of(const instruction &i) {
  const auto named = i.attrs.frontend.find("rng.stream");
  if (named == i.attrs.frontend.end())
    return 0;
  const std::string &text = named->second;
  std::uint64_t out = 0;
  const auto end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  if (read.ec != std::errc() || read.ptr != end)
    throw error(error_code::invalid_argument, "is not a number: " + text,
                i.name, "rng.stream");
  return mixed(out);
}

/// In [0, 1), a multiple of 2^-24.
double unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 40) * 0x1p-24;
}

double normal(std::uint64_t a, std::uint64_t b) {
  return std::sqrt(-2 * std::log(1 - unit(a))) *
         std::cos(2 * std::numbers::pi * unit(b));
}

void uniform_integer(std::uint64_t bits, views in, std::int64_t k,
                     const literal_view &out) {
  const auto low = static_cast<std::uint64_t>(in[0].integer(0));
  const auto width = static_cast<std::uint64_t>(in[1].integer(0)) - low;
  out.set_integer(
      k, static_cast<std::int64_t>(low + (width > 0 ? bits % width : 0)));
}

void uniform_real(std::uint64_t bits, views in, std::int64_t k,
                  const literal_view &out) {
  const double low = in[0].real(0), high = in[1].real(0);
  out.set_real(k, low + (high - low) * unit(bits));
  if (out.real(k) >= high) // by rounding; the upper bound is not drawn
    out.set_real(k, low);
}

} // namespace

void evaluate_rng(const instruction &i, views in, literal_view out) {
  const std::uint64_t stream = stream_of(i);
  const auto n = out.form->size();
  for (std::int64_t k = 0; k < n; ++k) {
    const auto counter = stream + 2 * static_cast<std::uint64_t>(k);
    const std::uint64_t bits = mixed(counter);
    if (i.attrs.distribution == random_distribution::normal)
      out.set_real(k, in[0].real(0) +
                          in[1].real(0) * normal(bits, mixed(counter + 1)));
    else if (is_floating(out.form->type))
      uniform_real(bits, in, k, out);
    else
      uniform_integer(bits, in, k, out);
  }
}

} // namespace ganglion::hlo
