#include "runtime/chat/value.hpp"

#include <algorithm>
#include <unordered_map>

namespace ganglion::runtime::chat {

namespace {

using entries = std::vector<value::entry>;

// Moves the value of a later entry to the first one with its key.
void keep_last_values(entries &all) {
  std::unordered_map<std::string_view, std::size_t> places;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto &key = all[i].first;
    if (key.is_string()) {
      const auto found = places.find(key.as_string());
      if (found != places.end()) {
        all[found->second].second = std::move(all[i].second);
        continue;
      }
    }
    if (kept != i)
      all[kept] = std::move(all[i]);
    if (all[kept].first.is_string())
      places.emplace(all[kept].first.as_string(), kept);
    ++kept;
  }
  all.resize(kept);
}

} // namespace

value value::list(std::vector<value> items, sequence_kind kind) {
  std::size_t deepest = 0;
  for (const auto &item : items)
    deepest = std::max(deepest, item.depth());
  value out;
  out.data_ = std::make_shared<const sequence>(
      sequence{std::move(items), kind, deepest + 1});
  return out;
}

value value::dict(std::vector<entry> entries) {
  keep_last_values(entries);
  std::size_t deepest = 0;
  for (const auto &[key, item] : entries)
    deepest = std::max({deepest, key.depth(), item.depth()});
  value out;
  out.data_ = std::make_shared<const dictionary>(
      dictionary{std::move(entries), deepest + 1});
  return out;
}

const value *value::find(std::string_view key) const {
  if (!is_dict())
    return nullptr;
  for (const auto &[name, item] : as_dict().entries)
    if (name.is_string() && name.as_string() == key)
      return &item;
  return nullptr;
}

std::size_t value::depth() const {
  if (is_sequence())
    return as_sequence().depth;
  return is_dict() ? as_dict().depth : 0;
}

} // namespace ganglion::runtime::chat
