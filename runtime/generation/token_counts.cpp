#include "runtime/generation/token_counts.hpp"

#include <algorithm>

namespace ganglion::runtime {

void token_counts::begin(std::size_t vocabulary, std::size_t capacity) {
  for (const entry &e : entries_)
    places_[static_cast<std::size_t>(e.token)] = 0;
  entries_.clear();
  entries_.reserve(std::min(vocabulary, capacity));
  places_.resize(vocabulary);
}

void token_counts::add(std::int32_t token, bool generated) {
  auto &place = places_[static_cast<std::size_t>(token)];
  if (place == 0) {
    entries_.push_back({token, 0, 0});
    place = static_cast<std::uint32_t>(entries_.size());
  }
  entry &e = entries_[place - 1];
  ++e.total;
  e.generated += generated;
}

void token_counts::remove(std::int32_t token, bool generated) {
  auto &place = places_[static_cast<std::size_t>(token)];
  entry &e = entries_[place - 1];
  e.generated -= generated;
  if (--e.total > 0)
    return;
  places_[static_cast<std::size_t>(entries_.back().token)] = place;
  e = entries_.back();
  entries_.pop_back();
  place = 0;
}

} // namespace ganglion::runtime
