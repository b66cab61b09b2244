#include "runtime/checkpoint/crc32.hpp"

#include <array>
#include <cstring>

namespace ganglion::runtime {

namespace {

constexpr std::size_t width = 8; ///< bytes taken in one go

/// Row k is what a byte does to the checksum when k more bytes follow.
using table_rows = std::array<std::array<std::uint32_t, 256>, width>;

constexpr table_rows make_tables() {
  table_rows out{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0u);
    out[0][i] = value;
  }
  for (std::size_t k = 1; k < width; ++k)
    for (std::size_t i = 0; i < 256; ++i)
      out[k][i] = out[k - 1][i] >> 8 ^ out[0][out[k - 1][i] & 0xff];
  return out;
}

constexpr table_rows tables = make_tables();

} // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::uint32_t sum = 0xffffffff;
  for (; bytes.size() >= width; bytes = bytes.subspan(width)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), width);
    word ^= sum;
    sum = 0;
    for (std::size_t k = 0; k < width; ++k)
      sum ^= tables[width - 1 - k][word >> (8 * k) & 0xff];
  }
  for (const std::byte b : bytes)
    sum =
        sum >> 8 ^ tables[0][(sum ^ std::to_integer<std::uint32_t>(b)) & 0xff];
  return ~sum;
}

} // namespace ganglion::runtime
