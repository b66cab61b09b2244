#include "runtime/speculation/ngram_guesser.hpp"

#include "runtime/generation/random.hpp"

#include <algorithm>

namespace ganglion::runtime {

/// Of the n-gram that ends before `end`. Two with the same digest make a poor
/// guess, which does no harm.
std::uint64_t ngram_guesser::key_at(std::span<const std::int32_t> tokens,
                                    std::size_t end) const {
  std::uint64_t key = 0;
  for (std::size_t i = end - size_; i < end; ++i)
    key = mix_bits(key ^ static_cast<std::uint32_t>(tokens[i]));
  return key;
}

void ngram_guesser::continue_after(std::span<const std::int32_t> tokens,
                                   std::size_t most,
                                   std::vector<std::int32_t> &out) {
  if (tokens.size() <= size_)
    return;
  // The n-gram at the end is looked up, and not to be found itself.
  for (taken_ = std::max(taken_, size_); taken_ < tokens.size(); ++taken_)
    places_[key_at(tokens, taken_)] = taken_;
  const auto found = places_.find(key_at(tokens, tokens.size()));
  if (found == places_.end())
    return;
  const std::size_t period = tokens.size() - found->second;
  for (std::size_t i = 0; i < most; ++i)
    out.push_back(tokens[found->second + i % period]);
}

} // namespace ganglion::runtime
