#include "runtime/tokenizer/merge_table.hpp"

#include <bit>

namespace ganglion::runtime {

namespace {

// Ids are not negative, so no pair has this key.
constexpr std::uint64_t empty_key = ~std::uint64_t{0};

std::uint64_t key_of(std::int32_t left, std::int32_t right) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
         static_cast<std::uint32_t>(right);
}

} // namespace

merge_table::merge_table(std::size_t count)
    : slots_(std::bit_ceil(count * 2 + 2), slot{empty_key, {}}) {}

// The slot that holds `key`, or the empty one where it belongs.
std::size_t merge_table::slot_of(std::uint64_t key) const {
  const std::size_t mask = slots_.size() - 1;
  // Fibonacci hashing: the high bits of the product are well mixed.
  std::size_t at = key * 0x9E3779B97F4A7C15u >> 32 & mask;
  while (slots_[at].key != key && slots_[at].key != empty_key)
    at = (at + 1) & mask;
  return at;
}

void merge_table::set(std::int32_t left, std::int32_t right, merge_rule rule) {
  const auto key = key_of(left, right);
  slots_[slot_of(key)] = {key, rule};
}

const merge_rule *merge_table::find(std::int32_t left,
                                    std::int32_t right) const {
  const auto &found = slots_[slot_of(key_of(left, right))];
  return found.key == empty_key ? nullptr : &found.rule;
}

} // namespace ganglion::runtime
