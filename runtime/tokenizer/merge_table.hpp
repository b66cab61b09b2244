// BPE's merges by pair of ids: a flat hash table, because encoding asks it for
// every pair of neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ganglion::runtime {

/// What a pair becomes; lower ranks are merged first.
struct merge_rule {
  std::int32_t rank = 0;
  std::int32_t id = 0;
};

/// Filled once, then only read, by any number of threads.
class merge_table {
public:
  /// Room for `count` merges.
  explicit merge_table(std::size_t count);

  /// Sets what (`left`, `right`) becomes; a later call for the same pair wins.
  void set(std::int32_t left, std::int32_t right, merge_rule rule);
  /// The rule of the pair, or null.
  const merge_rule *find(std::int32_t left, std::int32_t right) const;

private:
  struct slot {
    std::uint64_t key;
    merge_rule rule;
  };
  std::size_t slot_of(std::uint64_t key) const;

  std::vector<slot> slots_; // a power of two, at most half of it in use
};

} // namespace ganglion::runtime
