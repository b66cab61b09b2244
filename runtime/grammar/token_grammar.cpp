#include "runtime/grammar/token_grammar.hpp"

#include <algorithm>

namespace ganglion::runtime::grammar {

namespace {

/// Masks that are kept at a time.
constexpr std::size_t kept_masks = 256;
constexpr std::int32_t none = -1;

} // namespace

token_grammar::token_grammar(automaton rules,
                             std::shared_ptr<const token_trie> tokens)
    : rules_(std::move(rules)),
      tokens_(std::move(tokens)),
      states_(rules_),
      path_(tokens_->longest() + 1),
      masks_(std::make_unique_for_overwrite<std::uint64_t[]>(kept_masks *
                                                             words())),
      mask_of_state_(rules_.bounds().states, none),
      state_of_mask_(kept_masks, none) {}

std::int32_t token_grammar::start() { return states_.start(); }

std::int32_t token_grammar::after(std::int32_t state, std::int32_t token) {
  if (token < 0 || static_cast<std::size_t>(token) >= tokens_->vocabulary())
    return dead;
  const auto bytes = tokens_->bytes_of(token);
  if (bytes.empty())
    return dead;
  for (const char byte : bytes) {
    state = states_.next(state, static_cast<std::uint8_t>(byte));
    if (state <= dead)
      return state;
  }
  return state;
}

void token_grammar::flush() {
  states_.flush();
  std::ranges::fill(mask_of_state_, none);
  std::ranges::fill(state_of_mask_, none);
}

std::span<std::uint64_t> token_grammar::take_mask(std::int32_t state) {
  const std::size_t place = next_mask_;
  next_mask_ = (next_mask_ + 1) % kept_masks;
  if (state_of_mask_[place] != none)
    mask_of_state_[static_cast<std::size_t>(state_of_mask_[place])] = none;
  state_of_mask_[place] = state;
  mask_of_state_[static_cast<std::size_t>(state)] =
      static_cast<std::int32_t>(place);
  return {masks_.get() + place * words(), words()};
}

/// The mask of a living state; null when it takes more room or work than is
/// allowed.
const std::uint64_t *token_grammar::mask_of(std::int32_t state) {
  const std::int32_t known = mask_of_state_[static_cast<std::size_t>(state)];
  if (known != none)
    return masks_.get() + static_cast<std::size_t>(known) * words();
  const auto mask = take_mask(state);
  if (walk(state, mask))
    return mask.data();
  // It is unfinished, and must not be found.
  mask_of_state_[static_cast<std::size_t>(state)] = none;
  return nullptr;
}

/// Goes through the tokens that start alike at once; false when it cannot.
bool token_grammar::walk(std::int32_t state, std::span<std::uint64_t> mask) {
  std::ranges::fill(mask, std::uint64_t{0});
  const auto nodes = tokens_->nodes();
  const auto sorted = tokens_->sorted();
  path_[0] = state;
  const std::uint64_t most = states_.visits() + rules_.bounds().visits;
  for (std::size_t i = 0; i < nodes.size();) {
    const token_trie::node &n = nodes[i];
    const std::int32_t next = states_.next(path_[n.depth - 1], n.byte);
    if (next < dead || states_.visits() > most)
      return false;
    if (next == dead) {
      i = n.end;
      continue;
    }
    path_[n.depth] = next;
    for (std::size_t t = n.first; t < n.last; ++t)
      mask[static_cast<std::size_t>(sorted[t]) / 64] |= std::uint64_t{1}
                                                        << (sorted[t] % 64);
    ++i;
  }
  return true;
}

// --- one text ----------------------------------------------------------------

void cursor::begin(std::shared_ptr<token_grammar> of,
                   std::span<const std::int32_t> generated,
                   std::size_t longest) {
  of_ = std::move(of);
  tokens_.clear();
  states_.clear();
  epoch_ = 0;
  if (!of_)
    return;
  const std::size_t capacity = std::max(longest, generated.size()) + 1;
  tokens_.reserve(capacity);
  states_.reserve(capacity + 1);
  tokens_.assign(generated.begin(), generated.end());
}

void cursor::append(std::int32_t token) { tokens_.push_back(token); }

void cursor::roll_back(std::size_t count) {
  tokens_.resize(tokens_.size() - count);
  states_.resize(std::min(states_.size(), tokens_.size() + 1));
}

/// The state after all tokens, from the last one that is known.
std::int32_t cursor::current() {
  if (epoch_ != of_->states_.epoch()) {
    epoch_ = of_->states_.epoch();
    states_.clear();
  }
  if (states_.empty())
    states_.push_back(of_->start());
  while (states_.size() <= tokens_.size() && states_.back() > dead)
    states_.push_back(of_->after(states_.back(), tokens_[states_.size() - 1]));
  const std::int32_t last = states_.back();
  if (last == full)
    states_.pop_back();
  return last;
}

match_status cursor::allowed(std::span<std::uint64_t> mask, bool &accepted) {
  const std::lock_guard lock(of_->mutex_);
  accepted = false;
  // Once more with all room there is, if it runs out.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const std::int32_t state = current();
    if (state == too_wide)
      return match_status::too_complex;
    if (state == dead) {
      std::ranges::fill(mask, std::uint64_t{0});
      return match_status::ok;
    }
    const std::uint64_t *found = state == full ? nullptr : of_->mask_of(state);
    if (found) {
      std::copy_n(found, of_->words(), mask.begin());
      accepted = of_->states_.accepts(state);
      return match_status::ok;
    }
    of_->flush();
  }
  return match_status::too_complex;
}

void cursor::prepare() {
  const std::lock_guard lock(of_->mutex_);
  const std::int32_t state = current();
  if (state > dead)
    of_->mask_of(state);
}

} // namespace ganglion::runtime::grammar
