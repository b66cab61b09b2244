// The random bits of a token: a pure function of a key and its number.
#pragma once

#include <cstdint>

namespace ganglion::neuron {

inline constexpr std::uint64_t mix_add = 0x9e3779b97f4a7c15ull;
inline constexpr std::uint64_t mix_first = 0xbf58476d1ce4e5b9ull;
inline constexpr std::uint64_t mix_second = 0x94d049bb133111ebull;
inline constexpr std::uint64_t token_factor = 0xd1342543de82ef95ull;

/// Mixes 64 bits (the finaliser of Steele et al. 2014, SplitMix).
inline std::uint64_t mix_bits(std::uint64_t x) {
  x += mix_add;
  x = (x ^ (x >> 30)) * mix_first;
  x = (x ^ (x >> 27)) * mix_second;
  return x ^ (x >> 31);
}

/// 1 - u for the token's uniform number u: a multiple of 2^-53 in (0, 1), and
/// never more than its exponential noise -log(u).
inline double noise_complement(std::uint64_t key, std::uint64_t token) {
  const std::uint64_t bits = mix_bits(key ^ (token * token_factor)) >> 12;
  return (0x1p52 - static_cast<double>(bits) - 0.5) * 0x1p-52;
}

} // namespace ganglion::neuron
