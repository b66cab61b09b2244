// A transposing copy of 64 rows into the steps of a panel, in blocks that fill
// vector registers, and whole cache lines past the caches.
#pragma once

#include "neuron/kernels/kernels.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include <emmintrin.h>

namespace ganglion::neuron {

/// The starts of the rows that become outputs 0 to 63 of each step, in order.
template <class Unit>
using panel_rows = std::array<const Unit *, panel_width>;

namespace transposing {

// Vectors of 16 bytes, which every x86-64 machine has: copying is bound by
// memory beyond that.
using quad = std::uint32_t __attribute__((vector_size(16)));
using oct = std::uint16_t __attribute__((vector_size(16)));

template <class Vector, class Unit>
Vector load(const Unit *from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

/// Four columns of four rows from `k` on.
inline void block(const std::uint32_t *const *rows, std::int64_t k,
                  std::array<quad, 4> &columns) {
  const auto a = load<quad>(rows[0] + k), b = load<quad>(rows[1] + k),
             c = load<quad>(rows[2] + k), d = load<quad>(rows[3] + k);
  const quad ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const quad ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const quad cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const quad cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  columns = {__builtin_shufflevector(ab0, cd0, 0, 1, 4, 5),
             __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7),
             __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5),
             __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7)};
}

/// Eight columns of eight rows from `k` on: pairs, then fours, then halves.
inline void block(const std::uint16_t *const *rows, std::int64_t k,
                  std::array<quad, 8> &columns) {
  quad pair[8]; // [2 * i + h]: columns of half h, rows 2 * i and 2 * i + 1
  for (int i = 0; i < 4; ++i) {
    const auto a = load<oct>(rows[2 * i] + k),
               b = load<oct>(rows[2 * i + 1] + k);
    pair[2 * i] = (quad)__builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    pair[2 * i + 1] =
        (quad)__builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  }
  quad four[8]; // [2 * i + j]: columns 2 * i and the next, rows of half j
  for (int half = 0; half < 2; ++half)
    for (int j = 0; j < 2; ++j) {
      const quad a = pair[4 * j + half], b = pair[4 * j + 2 + half];
      four[4 * half + j] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      four[4 * half + 2 + j] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    }
  for (std::size_t i = 0; i < 4; ++i) {
    const quad a = four[2 * i], b = four[2 * i + 1];
    columns[2 * i] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    columns[2 * i + 1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  }
}

/// Elements in a vector: columns of a block, and rows.
template <class Unit>
inline constexpr std::int64_t side = 16 / sizeof(Unit);

/// A cache line of each of a block's columns, from output `n` on.
template <class Unit>
void lines(const panel_rows<Unit> &rows, std::int64_t n, std::int64_t k,
           Unit *out) {
  constexpr auto width = static_cast<std::size_t>(side<Unit>);
  std::array<std::array<quad, width>, 4> blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    block(rows.data() + n + static_cast<std::int64_t>(b * width), k, blocks[b]);
  for (std::size_t column = 0; column < width; ++column, out += panel_width)
    for (std::size_t b = 0; b < blocks.size(); ++b)
      _mm_stream_si128(reinterpret_cast<__m128i *>(out + n) + b,
                       (__m128i)blocks[b][column]);
}

} // namespace transposing

/// Writes element `k` of row `n` to out[k * 64 + n] for all k < `steps`. `out`
/// is aligned to 16 bytes; other threads see it after a fence.
template <class Unit>
void transpose_panel(const panel_rows<Unit> &rows, std::int64_t steps,
                     Unit *out) {
  constexpr auto side = transposing::side<Unit>;
  std::int64_t k = 0;
  for (; k + side <= steps; k += side)
    for (std::int64_t n = 0; n < panel_width; n += 4 * side)
      transposing::lines(rows, n, k, out + k * panel_width);
  for (; k < steps; ++k)
    for (std::int64_t n = 0; n < panel_width; ++n)
      std::memcpy(out + k * panel_width + n, rows[n] + k, sizeof(Unit));
}

} // namespace ganglion::neuron
