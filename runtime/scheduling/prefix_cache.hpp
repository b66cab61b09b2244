// Which KV blocks hold which tokens, so that a prompt can start from blocks
// that an earlier sequence filled.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ganglion::runtime {

/// An index of full blocks by their tokens and all tokens before them. Exact:
/// tokens are compared, not only their hashes. Single-threaded.
class prefix_cache {
public:
  /// Stands for the tokens of a block and of all blocks before it. Numbers are
  /// never used twice.
  using chain = std::uint64_t;
  static constexpr chain start = 0; ///< no block before

  struct entry {
    std::int32_t block = 0;
    chain id = start;
  };

  /// `salt` keeps the first blocks of some requests, and with them all later
  /// ones, apart from those of others.
  std::optional<entry> find(chain before, std::span<const std::int32_t> tokens,
                            std::string_view salt) const;
  /// Records a block; one that holds the same tokens already stays.
  chain insert(chain before, std::span<const std::int32_t> tokens,
               std::string_view salt, std::int32_t block);
  bool holds(std::int32_t block) const { return of_block_.contains(block); }
  /// The block's content is about to be lost.
  void erase(std::int32_t block);
  void clear();
  std::size_t size() const { return entries_.size(); }

private:
  struct key {
    chain before = start;
    std::vector<std::int32_t> tokens;
    std::string salt; ///< empty but in the first block
    bool operator==(const key &) const = default;
  };
  struct hash {
    std::size_t operator()(const key &k) const;
  };
  static key key_of(chain before, std::span<const std::int32_t> tokens,
                    std::string_view salt);

  std::unordered_map<key, entry, hash> entries_;
  std::unordered_map<std::int32_t, const key *> of_block_;
  chain next_ = start + 1;
};

} // namespace ganglion::runtime
