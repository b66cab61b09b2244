// Counter-based random numbers: a pure function of what they are for, so that
// the same draw comes out alone, in a batch and after preemption.
#pragma once

#include "neuron/kernels/noise.hpp"

#include <cmath>
#include <cstdint>

namespace ganglion::runtime {

using neuron::mix_bits;

/// The key of one choice: a seed, which of several choices, and the position
/// of the token being chosen.
inline std::uint64_t choice_key(std::uint64_t seed, std::uint64_t choice,
                                std::uint64_t position) {
  return mix_bits(mix_bits(mix_bits(seed) ^ choice) ^ position);
}

/// Gumbel noise of one token: adding it to log-probabilities and taking the
/// maximum samples from them, also over shards of the vocabulary.
inline double gumbel_noise(std::uint64_t key, std::uint64_t token) {
  // The uniform numbers are centred in their cells: 0 and 1 never occur.
  const double uniform = 1.0 - neuron::noise_complement(key, token);
  return -std::log(-std::log(uniform));
}

} // namespace ganglion::runtime
