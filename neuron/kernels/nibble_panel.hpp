// How int4 weights lie in a panel: eight inputs of an output in four bytes,
// raised so that they have no sign.
#pragma once

#include <cstdint>

namespace ganglion::neuron {

/// What is added to a weight; see hlo/composites/int4_linear.hpp.
inline constexpr int nibble_offset = 8;

/// Inputs of a step of a panel.
inline constexpr std::int64_t nibble_step = 8;

/// A byte of a panel: [N / 64][K / 8][64][4]. Byte j of a step holds input j in
/// its low half and input 4 + j in its high half; places past the end are
/// weights of 0.
struct nibble_weight {
  std::uint8_t raised;
};

constexpr nibble_weight nibbles_of(int low, int high) {
  return {static_cast<std::uint8_t>((low + nibble_offset) |
                                    (high + nibble_offset) << 4)};
}

} // namespace ganglion::neuron
