// Slots and KV blocks of sequences: who gets them, what is shared, and what
// stays behind for later prompts.
#pragma once

#include "runtime/scheduling/block_manager.hpp"
#include "runtime/scheduling/sequence.hpp"

#include <vector>

namespace ganglion::runtime {

struct kv_limits {
  std::int64_t slots = 32;
  std::int64_t block_positions = 32;
  std::int64_t blocks = 0; ///< of each pool
  /// Pools that sequences are dealt to: slot s belongs to pool s % pools.
  std::int64_t pools = 1;
  /// Positions, from the first, whose keys and values depend on the tokens
  /// before them alone, so that sequences may share them. 0: none.
  std::int64_t shared_positions = 0;
};

/// Single-threaded.
class kv_allocator {
public:
  explicit kv_allocator(const kv_limits &limits);

  /// Gives a waiting sequence a slot and blocks for all its tokens; `computed`
  /// then counts those that its blocks hold already. False, and nothing is
  /// changed, when there is no room.
  bool admit(sequence &s);
  /// One more block; false when its pool has none.
  bool extend(sequence &s);
  /// Takes slot and blocks away.
  void release(sequence &s);
  /// The first `positions` positions of `s` are computed: its full blocks may
  /// be found by others.
  void publish(sequence &s, std::int64_t positions);
  /// The device lost its caches. Nobody may hold anything.
  void forget_contents();

  std::int64_t blocks_for(std::int64_t positions) const;
  /// Full blocks among the first `positions` of `s` that others may share.
  std::int64_t shareable_blocks(const sequence &s,
                                std::int64_t positions) const;
  bool same_pool(const sequence &a, const sequence &b) const {
    return a.slot % limits_.pools == b.slot % limits_.pools;
  }
  std::size_t free_slots() const { return free_slots_.size(); }
  std::int64_t total_blocks() const { return limits_.blocks * limits_.pools; }
  /// Including those that keep the tokens of ended sequences.
  std::int64_t free_blocks() const;
  /// Throws `internal`. `running` are all sequences with a slot.
  void
  check_invariants(const std::vector<std::shared_ptr<sequence>> &running) const;

private:
  using found_blocks = std::vector<prefix_cache::entry>;
  std::span<const std::int32_t> tokens_of(const sequence &s,
                                          std::int64_t block) const;
  found_blocks find_prefix(const block_manager &pool, const sequence &s) const;
  block_manager &pool_of(std::int32_t slot) {
    return pools_[static_cast<std::size_t>(slot) % pools_.size()];
  }

  kv_limits limits_;
  std::vector<block_manager> pools_;
  std::vector<std::int32_t> free_slots_;
};

} // namespace ganglion::runtime
