// The pool of KV blocks: which are free, and the rest by count of holders.
#pragma once

#include <cstdint>
#include <vector>

namespace ganglion::runtime {

/// Hands out block numbers, lowest first from the start. Single-threaded.
class block_manager {
public:
  explicit block_manager(std::int64_t blocks);

  std::int64_t total() const { return total_; }
  std::int64_t available() const {
    return static_cast<std::int64_t>(free_.size());
  }

  /// A block with one holder; there must be one available.
  std::int32_t take();
  /// One more holder of a block somebody holds.
  void share(std::int32_t block);
  /// One holder less; the last one frees the block.
  void release(std::int32_t block);

  /// Throws `internal` when the free list and the counts disagree.
  void check_invariants() const;

private:
  std::int64_t total_;
  std::vector<std::int32_t> free_;
  std::vector<std::int32_t> holders_;
};

} // namespace ganglion::runtime
