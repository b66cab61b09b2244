#include "runtime/scheduling/block_manager.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::runtime {

block_manager::block_manager(std::int64_t blocks)
    : total_(blocks),
      place_(static_cast<std::size_t>(blocks)),
      holders_(static_cast<std::size_t>(blocks), 0) {
  free_.reserve(static_cast<std::size_t>(blocks));
  for (std::int64_t b = blocks; b-- > 0;)
    free_.push_back(static_cast<std::int32_t>(b));
}

std::int32_t block_manager::take() {
  require(available() > 0, "block_manager: no block available");
  std::int32_t block = 0;
  if (!free_.empty()) {
    block = free_.back();
    free_.pop_back();
  } else {
    block = idle_.front();
    idle_.pop_front();
    contents_.erase(block);
  }
  holders_[static_cast<std::size_t>(block)] = 1;
  return block;
}

void block_manager::share(std::int32_t block) {
  const auto b = static_cast<std::size_t>(block);
  if (holders_[b] == 0) {
    require(contents_.holds(block), "block_manager: shared a free block");
    idle_.erase(place_[b]);
  }
  ++holders_[b];
}

void block_manager::release(std::int32_t block) {
  const auto b = static_cast<std::size_t>(block);
  require(holders_[b] > 0, "block_manager: released a free block");
  if (--holders_[b] > 0)
    return;
  if (contents_.holds(block))
    place_[b] = idle_.insert(idle_.end(), block);
  else
    free_.push_back(block);
}

void block_manager::forget_contents() {
  contents_.clear();
  free_.insert(free_.end(), idle_.begin(), idle_.end());
  idle_.clear();
}

void block_manager::check_invariants() const {
  std::size_t held = 0;
  for (const auto h : holders_) {
    require(h >= 0, "block_manager: negative holder count");
    held += h > 0;
  }
  require(held + free_.size() + idle_.size() == holders_.size(),
          "block_manager: blocks lost or doubled");
  for (const auto b : free_)
    require(holders_[static_cast<std::size_t>(b)] == 0 && !contents_.holds(b),
            "block_manager: a held block is in the free list");
  for (const auto b : idle_)
    require(holders_[static_cast<std::size_t>(b)] == 0 && contents_.holds(b),
            "block_manager: an idle block is held or has no content");
}

} // namespace ganglion::runtime
