// How int8 weights of int8 products lie in a panel: four inputs of an output
// side by side, raised so that they have no sign.
#pragma once

#include <cstdint>

namespace ganglion::neuron {

/// What is added to a weight. Products of unsigned with signed bytes are what
/// machines have; 128 times the sum of a row's inputs is taken off again.
inline constexpr int quad_offset = 128;

/// A byte of a panel: [N / 64][K / 4][64][4]; places past the end are weights
/// of 0.
struct quad_weight {
  std::uint8_t raised;
};

constexpr quad_weight quad_of(int q) {
  return {static_cast<std::uint8_t>(q + quad_offset)};
}

} // namespace ganglion::neuron
