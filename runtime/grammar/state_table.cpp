#include "runtime/grammar/state_table.hpp"

#include <algorithm>

namespace ganglion::runtime::grammar {

namespace {

constexpr std::int32_t unknown = -3;
constexpr std::int32_t fine = 0;
constexpr std::size_t frames_per_state = 2, threads_per_state = 8;
/// Nodes on the way to a state's threads.
constexpr std::size_t visits_per_thread = 8;

std::uint64_t pair_hash(std::int32_t a, std::int32_t b) {
  return std::uint64_t{static_cast<std::uint32_t>(a)} << 32 |
         static_cast<std::uint32_t>(b);
}

} // namespace

state_table::state_table(const automaton &of)
    : of_(of),
      transitions_(std::make_unique_for_overwrite<std::int32_t[]>(
          of.bounds().states * of.classes())),
      frame_index_(of.bounds().states * frames_per_state),
      state_index_(of.bounds().states),
      visited_(std::bit_ceil(2 * visits_per_thread * of.bounds().threads)) {
  const limits &most = of.bounds();
  frames_.reserve(most.states * frames_per_state);
  states_.reserve(most.states);
  threads_.reserve(most.states * threads_per_state);
  made_.reserve(visits_per_thread * most.threads);
  // Every node that is visited opens at most two.
  open_.reserve(2 * visits_per_thread * most.threads + 2);
  flush();
}

void state_table::flush() {
  ++epoch_;
  frames_.assign(1, {});
  states_.assign(1, {}); // dead
  threads_.clear();
  frame_index_.clear();
  state_index_.clear();
}

std::int32_t state_table::start() {
  begin_state();
  const std::int32_t status = expand({of_.start(), 0});
  return status == fine ? intern() : status;
}

std::int32_t state_table::next(std::int32_t state, std::uint8_t byte) {
  const std::size_t byte_class = of_.class_of(byte);
  std::int32_t &known =
      transitions_[static_cast<std::size_t>(state) * of_.classes() +
                   byte_class];
  if (known == unknown) {
    const std::int32_t found = follow(state, byte_class);
    if (found == full)
      return full;
    known = found;
  }
  return known;
}

std::int32_t state_table::follow(std::int32_t from, std::size_t byte_class) {
  begin_state();
  const known_state s = states_[static_cast<std::size_t>(from)];
  for (std::size_t i = s.begin; i < s.end; ++i) {
    const thread t = threads_[i];
    const node &n = of_.at(t.node);
    if (!of_.takes(n, byte_class))
      continue;
    const std::int32_t status = expand({n.next, t.stack});
    if (status != fine)
      return status;
  }
  return intern();
}

// --- what can be read next ---------------------------------------------------

void state_table::begin_state() {
  made_.clear();
  made_accepts_ = false;
  ++stamp_;
  marked_ = 0;
}

/// Follows splits, calls and ends until bytes are read.
std::int32_t state_table::expand(thread from) {
  open_.assign(1, from);
  while (!open_.empty()) {
    const thread t = open_.back();
    open_.pop_back();
    const std::int32_t status = expand_one(t);
    if (status != fine)
      return status;
  }
  return fine;
}

std::int32_t state_table::expand_one(thread t) {
  ++visits_;
  const frame top = frames_[static_cast<std::size_t>(t.stack)];
  // Nothing is begun that the depth lets nobody end.
  if (top.depth + of_.need(t.node) > of_.bounds().depth || !mark(t))
    return fine;
  if (marked_ > visits_per_thread * of_.bounds().threads)
    return too_wide;
  const node &n = of_.at(t.node);
  switch (n.kind) {
  case node_kind::bytes:
    made_.push_back(t);
    return made_.size() > of_.bounds().threads ? too_wide : fine;
  case node_kind::split:
    open_.push_back({n.other, t.stack});
    open_.push_back({n.next, t.stack});
    return fine;
  case node_kind::end:
    if (t.stack == 0)
      made_accepts_ = true;
    else
      open_.push_back({top.node, top.below});
    return fine;
  case node_kind::call: {
    // Nothing follows a call at a rule's end: it needs no return.
    const std::int32_t stack =
        n.next == automaton::end ? t.stack : stack_of(n.next, t.stack);
    if (stack == full)
      return full;
    open_.push_back({of_.start_of(n.other), stack});
    return fine;
  }
  }
  return fine;
}

/// False if it was marked in this state already.
bool state_table::mark(thread t) {
  const std::size_t mask = visited_.size() - 1;
  std::size_t i =
      (pair_hash(t.node, t.stack) * 0x9E3779B97F4A7C15u >> 32) & mask;
  for (; visited_[i].stamp == stamp_; i = (i + 1) & mask)
    if (visited_[i].at == t)
      return false;
  visited_[i] = {t, stamp_};
  ++marked_;
  return true;
}

std::int32_t state_table::stack_of(std::int32_t node, std::int32_t below) {
  std::int32_t &place =
      frame_index_.place(pair_hash(node, below), [&](std::int32_t i) {
        const frame &f = frames_[static_cast<std::size_t>(i)];
        return f.node == node && f.below == below;
      });
  if (place != hash_index::none)
    return place;
  if (frames_.size() == frames_.capacity())
    return full;
  place = static_cast<std::int32_t>(frames_.size());
  frames_.push_back(
      {node, below, frames_[static_cast<std::size_t>(below)].depth + 1});
  return place;
}

/// The number of the state that was made.
std::int32_t state_table::intern() {
  if (made_.empty() && !made_accepts_)
    return dead;
  std::ranges::sort(made_);
  std::uint64_t hash = made_accepts_;
  for (const thread t : made_)
    hash = (hash ^ pair_hash(t.node, t.stack)) * 0x100000001B3u;
  std::int32_t &place = state_index_.place(hash, [&](std::int32_t i) {
    const known_state &s = states_[static_cast<std::size_t>(i)];
    return s.accepts == made_accepts_ &&
           std::ranges::equal(
               std::span(threads_).subspan(s.begin, s.end - s.begin), made_);
  });
  if (place != hash_index::none)
    return place;
  if (states_.size() == states_.capacity() ||
      threads_.size() + made_.size() > threads_.capacity())
    return full;
  place = static_cast<std::int32_t>(states_.size());
  const std::size_t begin = threads_.size();
  threads_.insert(threads_.end(), made_.begin(), made_.end());
  states_.push_back({begin, threads_.size(), made_accepts_});
  std::fill_n(transitions_.get() +
                  static_cast<std::size_t>(place) * of_.classes(),
              of_.classes(), unknown);
  return place;
}

} // namespace ganglion::runtime::grammar
