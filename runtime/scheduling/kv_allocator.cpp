#include "runtime/scheduling/kv_allocator.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::runtime {

kv_allocator::kv_allocator(const kv_limits &limits)
    : limits_(limits),
      pools_(static_cast<std::size_t>(limits.pools),
             block_manager(limits.blocks)) {
  for (std::int64_t s = limits.slots; s-- > 0;)
    free_slots_.push_back(static_cast<std::int32_t>(s));
}

std::int64_t kv_allocator::blocks_for(std::int64_t positions) const {
  return (positions + limits_.block_positions - 1) / limits_.block_positions;
}

/// A longer prompt than can be shared rotates all its positions in its own way.
std::int64_t kv_allocator::shareable_blocks(const sequence &s,
                                            std::int64_t positions) const {
  if (s.request.given() > limits_.shared_positions)
    return 0;
  return std::min(positions, limits_.shared_positions) /
         limits_.block_positions;
}

std::span<const std::int32_t>
kv_allocator::tokens_of(const sequence &s, std::int64_t block) const {
  return std::span(s.tokens).subspan(
      static_cast<std::size_t>(block * limits_.block_positions),
      static_cast<std::size_t>(limits_.block_positions));
}

/// The blocks that hold the beginning of `s` already. The last token is always
/// computed, for its logits.
kv_allocator::found_blocks kv_allocator::find_prefix(const block_manager &pool,
                                                     const sequence &s) const {
  found_blocks found;
  if (!s.request.reads_prefix_cache())
    return found;
  const auto most = shareable_blocks(s, s.length() - 1);
  prefix_cache::chain before = prefix_cache::start;
  for (std::int64_t b = 0; b < most; ++b) {
    const auto entry =
        pool.contents().find(before, tokens_of(s, b), s.request.cache_salt);
    if (!entry)
      break;
    before = entry->id;
    found.push_back(*entry);
  }
  return found;
}

bool kv_allocator::admit(sequence &s) {
  if (free_slots_.empty())
    return false;
  // The pool that has most of it already, then the one with most room.
  std::vector<found_blocks> found;
  for (const block_manager &pool : pools_)
    found.push_back(find_prefix(pool, s));
  const auto worth = [&](std::int32_t slot) {
    const std::size_t p = static_cast<std::size_t>(slot) % pools_.size();
    return std::pair(found[p].size(), pools_[p].available());
  };
  std::size_t best = free_slots_.size() - 1;
  for (std::size_t i = best; i-- > 0;)
    if (worth(free_slots_[i]) > worth(free_slots_[best]))
      best = i;
  const std::int32_t slot = free_slots_[best];
  block_manager &pool = pool_of(slot);
  const found_blocks &prefix =
      found[static_cast<std::size_t>(slot) % pools_.size()];
  for (const auto &entry : prefix)
    pool.share(entry.block);
  const auto missing =
      blocks_for(s.length()) - static_cast<std::int64_t>(prefix.size());
  if (missing > pool.available()) {
    for (const auto &entry : prefix)
      pool.release(entry.block);
    return false;
  }
  free_slots_.erase(free_slots_.begin() + static_cast<std::ptrdiff_t>(best));
  s.slot = slot;
  for (const auto &entry : prefix)
    s.blocks.push_back(entry.block);
  for (std::int64_t i = 0; i < missing; ++i)
    s.blocks.push_back(pool.take());
  s.published = static_cast<std::int64_t>(prefix.size());
  s.chain = prefix.empty() ? prefix_cache::start : prefix.back().id;
  s.computed = s.published * limits_.block_positions;
  return true;
}

bool kv_allocator::extend(sequence &s) {
  block_manager &pool = pool_of(s.slot);
  if (pool.available() == 0)
    return false;
  s.blocks.push_back(pool.take());
  return true;
}

/// The last blocks first: of idle blocks, those that others build upon are
/// reused last.
void kv_allocator::release(sequence &s) {
  for (auto block = s.blocks.rbegin(); block != s.blocks.rend(); ++block)
    pool_of(s.slot).release(*block);
  s.blocks.clear();
  s.published = 0;
  s.chain = prefix_cache::start;
  free_slots_.push_back(s.slot);
  s.slot = -1;
  s.computed = 0;
}

void kv_allocator::publish(sequence &s, std::int64_t positions) {
  prefix_cache &contents = pool_of(s.slot).contents();
  for (const auto most = shareable_blocks(s, positions); s.published < most;
       ++s.published)
    s.chain = contents.insert(s.chain, tokens_of(s, s.published),
                              s.request.cache_salt,
                              s.blocks[static_cast<std::size_t>(s.published)]);
}

void kv_allocator::forget_contents() {
  for (block_manager &pool : pools_)
    pool.forget_contents();
}

std::int64_t kv_allocator::free_blocks() const {
  std::int64_t free = 0;
  for (const auto &pool : pools_)
    free += pool.available();
  return free;
}

void kv_allocator::check_invariants(
    const std::vector<std::shared_ptr<sequence>> &running) const {
  for (const auto &pool : pools_)
    pool.check_invariants();
  std::set<std::pair<std::size_t, std::int32_t>> held;
  for (const auto &s : running) {
    for (const std::int32_t block : s->blocks)
      held.emplace(static_cast<std::size_t>(s->slot) % pools_.size(), block);
    require(s->slot >= 0 && s->computed <= s->length() + s->guessed &&
                blocks_for(s->computed) <=
                    static_cast<std::int64_t>(s->blocks.size()),
            "kv_allocator: a running sequence outgrew its blocks");
  }
  require(static_cast<std::int64_t>(held.size()) + free_blocks() ==
              total_blocks(),
          "kv_allocator: blocks lost or doubled");
  require(running.size() + free_slots_.size() ==
              static_cast<std::size_t>(limits_.slots),
          "kv_allocator: slots lost or doubled");
}

} // namespace ganglion::runtime
