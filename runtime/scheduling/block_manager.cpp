#include "runtime/scheduling/block_manager.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::runtime {

block_manager::block_manager(std::int64_t blocks)
    : total_(blocks),
      holders_(static_cast<std::size_t>(blocks), 0) {
  free_.reserve(static_cast<std::size_t>(blocks));
  for (std::int64_t b = blocks; b-- > 0;)
    free_.push_back(static_cast<std::int32_t>(b));
}

std::int32_t block_manager::take() {
  require(!free_.empty(), "block_manager: no block available");
  const std::int32_t block = free_.back();
  free_.pop_back();
  holders_[static_cast<std::size_t>(block)] = 1;
  return block;
}

void block_manager::share(std::int32_t block) {
  require(holders_[static_cast<std::size_t>(block)] > 0,
          "block_manager: shared a free block");
  ++holders_[static_cast<std::size_t>(block)];
}

void block_manager::release(std::int32_t block) {
  auto &holders = holders_[static_cast<std::size_t>(block)];
  require(holders > 0, "block_manager: released a free block");
  if (--holders == 0)
    free_.push_back(block);
}

void block_manager::check_invariants() const {
  std::size_t held = 0;
  for (const auto h : holders_) {
    require(h >= 0, "block_manager: negative holder count");
    held += h > 0;
  }
  require(held + free_.size() == holders_.size(),
          "block_manager: blocks lost or doubled");
  for (const auto b : free_)
    require(holders_[static_cast<std::size_t>(b)] == 0,
            "block_manager: a held block is in the free list");
}

} // namespace ganglion::runtime
