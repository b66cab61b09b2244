// Guesses without another model: where the last few tokens stood before, what
// came after them then may come now (prompt lookup).
#pragma once

#include "runtime/speculation/guesser.hpp"

#include <unordered_map>

namespace ganglion::runtime {

class ngram_guesser final : public guesser {
public:
  /// `size`: tokens that must have stood together before, at least 1.
  explicit ngram_guesser(std::size_t size) : size_(size) {}

  /// From the latest earlier place of the last `size` tokens; past the end
  /// guesses repeat from there. Takes the time of the tokens that are new
  /// since the last call, and of the guesses.
  void continue_after(std::span<const std::int32_t> tokens, std::size_t most,
                      std::vector<std::int32_t> &out) override;

private:
  std::uint64_t key_at(std::span<const std::int32_t> tokens,
                       std::size_t end) const;

  std::size_t size_;
  std::size_t taken_ = 0; ///< n-grams that end before this have their places
  /// From an n-gram's digest to the place behind it.
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

} // namespace ganglion::runtime
