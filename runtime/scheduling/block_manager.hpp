// The pool of KV blocks: which are free, which nobody holds but keep tokens
// for whoever asks for them again, and the rest by count of holders.
#pragma once

#include "runtime/scheduling/prefix_cache.hpp"

#include <cstdint>
#include <list>
#include <vector>

namespace ganglion::runtime {

/// Hands out block numbers, lowest first from the start; then those whose
/// content has lain idle longest. Single-threaded.
class block_manager {
public:
  explicit block_manager(std::int64_t blocks);

  std::int64_t total() const { return total_; }
  /// Free ones and idle ones.
  std::int64_t available() const {
    return static_cast<std::int64_t>(free_.size() + idle_.size());
  }

  /// A block with one holder; there must be one available.
  std::int32_t take();
  /// One more holder of a block that somebody holds or that is idle.
  void share(std::int32_t block);
  /// One holder less; the last one frees the block or leaves it idle.
  void release(std::int32_t block);

  /// The index of what full blocks contain. Who records a block holds it.
  prefix_cache &contents() { return contents_; }
  const prefix_cache &contents() const { return contents_; }
  /// The device lost what blocks contain.
  void forget_contents();

  /// Throws `internal` when the lists and the counts disagree.
  void check_invariants() const;

private:
  std::int64_t total_;
  std::vector<std::int32_t> free_;
  std::list<std::int32_t> idle_;                         ///< the longest first
  std::vector<std::list<std::int32_t>::iterator> place_; ///< of idle blocks
  std::vector<std::int32_t> holders_;
  prefix_cache contents_;
};

} // namespace ganglion::runtime
