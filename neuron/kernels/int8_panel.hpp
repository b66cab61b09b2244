// How int8 weights lie in a panel: by sign and magnitude, in the order in which
// vectors unpack them.
#pragma once

#include <cstdint>

namespace ganglion::neuron {

/// Bytes of one step of a panel: 64 outputs by two inputs.
inline constexpr std::int64_t int8_step = 128;

/// A weight from -127 to 127 as sign bit and magnitude, so that seven bits
/// look its float up in a table.
constexpr std::uint8_t int8_code(int q) {
  return static_cast<std::uint8_t>(q < 0 ? 0x80 - q : q);
}
constexpr int int8_value(std::uint8_t code) {
  return code & 0x80 ? 0x80 - code : code;
}

/// A byte of a panel.
struct int8_weight {
  std::uint8_t code;
};

/// The byte of output `n` of 64 and input `k` of two within a step. Pairs of
/// inputs stay together. Interleaving the halves of every 16 bytes (as
/// `punpcklbw` and `punpckhbw` do) gives outputs 0-15 and 16-31 in order.
constexpr std::int64_t int8_place(std::int64_t n, std::int64_t k) {
  return n / 32 * 64 + n % 16 / 4 * 16 + n % 32 / 16 * 8 + n % 4 * 2 + k;
}

} // namespace ganglion::neuron
