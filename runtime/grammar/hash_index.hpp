// Finds numbered things by what they are, in memory that is allocated once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace ganglion::runtime::grammar {

/// At most `capacity` numbers from 0; the things themselves are elsewhere.
class hash_index {
public:
  explicit hash_index(std::size_t capacity)
      : places_(std::bit_ceil(2 * capacity), none) {}

  static constexpr std::int32_t none = -1;

  void clear() { std::ranges::fill(places_, none); }

  /// The place of the thing with this hash for which `equal(number)`; holds
  /// `none` if there is none yet.
  template <class Equal>
  std::int32_t &place(std::uint64_t hash, Equal equal) {
    const std::size_t mask = places_.size() - 1;
    // The multiplication mixes; its high half is the better one.
    std::size_t i = (hash * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (places_[i] != none && !equal(places_[i]))
      i = (i + 1) & mask;
    return places_[i];
  }

private:
  std::vector<std::int32_t> places_;
};

} // namespace ganglion::runtime::grammar
