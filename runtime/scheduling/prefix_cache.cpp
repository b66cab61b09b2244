#include "runtime/scheduling/prefix_cache.hpp"

#include "runtime/generation/random.hpp"

namespace ganglion::runtime {

std::size_t prefix_cache::hash::operator()(const key &k) const {
  std::uint64_t h = mix_bits(k.before ^ std::hash<std::string>()(k.salt));
  for (const std::int32_t token : k.tokens)
    h = mix_bits(h ^ static_cast<std::uint32_t>(token));
  return h;
}

prefix_cache::key prefix_cache::key_of(chain before,
                                       std::span<const std::int32_t> tokens,
                                       std::string_view salt) {
  return {before,
          {tokens.begin(), tokens.end()},
          std::string(before == start ? salt : std::string_view())};
}

std::optional<prefix_cache::entry>
prefix_cache::find(chain before, std::span<const std::int32_t> tokens,
                   std::string_view salt) const {
  const auto found = entries_.find(key_of(before, tokens, salt));
  if (found == entries_.end())
    return std::nullopt;
  return found->second;
}

prefix_cache::chain prefix_cache::insert(chain before,
                                         std::span<const std::int32_t> tokens,
                                         std::string_view salt,
                                         std::int32_t block) {
  const auto [place, added] =
      entries_.try_emplace(key_of(before, tokens, salt), entry{block, next_});
  if (added) {
    ++next_;
    of_block_[block] = &place->first;
  }
  return place->second.id;
}

void prefix_cache::erase(std::int32_t block) {
  const auto found = of_block_.find(block);
  if (found == of_block_.end())
    return;
  entries_.erase(entries_.find(*found->second));
  of_block_.erase(found);
}

void prefix_cache::clear() {
  entries_.clear();
  of_block_.clear();
}

} // namespace ganglion::runtime
