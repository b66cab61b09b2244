// Counter-based random numbers: a pure function of what they are for, so that
// the same draw comes out alone, in a batch and after preemption.
#pragma once

#include <cmath>
#include <cstdint>

namespace ganglion::runtime {

/// Mixes 64 bits (the finaliser of Steele et al. 2014, SplitMix).
inline std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// The key of one choice: a seed, which of several choices, and the position
/// of the token being chosen.
inline std::uint64_t choice_key(std::uint64_t seed, std::uint64_t choice,
                                std::uint64_t position) {
  return mix_bits(mix_bits(mix_bits(seed) ^ choice) ^ position);
}

/// Gumbel noise of one token: adding it to log-probabilities and taking the
/// maximum samples from them, also over shards of the vocabulary.
inline float gumbel_noise(std::uint64_t key, std::uint64_t token) {
  const std::uint64_t bits = mix_bits(key ^ (token * 0xd1342543de82ef95ull));
  // 52 bits, centred in their cells, so that 0 and 1 never occur.
  const double uniform = (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
  return static_cast<float>(-std::log(-std::log(uniform)));
}

} // namespace ganglion::runtime
