// How often tokens occur in a sequence, listed so that penalties touch only
// those that do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ganglion::runtime {

class token_counts {
public:
  struct entry {
    std::int32_t token = 0;
    std::uint32_t total = 0;     ///< in prompt and output
    std::uint32_t generated = 0; ///< in the output
  };

  /// Forgets everything; there is room for `capacity` tokens in all of a
  /// vocabulary, after which nothing is allocated.
  void begin(std::size_t vocabulary, std::size_t capacity);
  void add(std::int32_t token, bool generated);
  /// Takes back one that was added.
  void remove(std::int32_t token, bool generated);
  std::span<const entry> entries() const { return entries_; }

private:
  std::vector<entry> entries_;
  /// One more than the place of each token's entry; 0: it has none.
  std::vector<std::uint32_t> places_;
};

} // namespace ganglion::runtime
