#include "runtime/grammar/automaton.hpp"

#include "hlo/support/error.hpp"
#include "runtime/grammar/node_writer.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace ganglion::runtime::grammar {

namespace {

constexpr auto never = std::numeric_limits<std::int32_t>::max() / 2;
/// Rounds after which needs are taken to have no end: only chains of hundreds
/// of rules would take more.
constexpr int most_rounds = 400;

} // namespace

automaton::automaton(const builder &from, rule root)
    : bounds_(from.bounds()),
      root_(static_cast<std::int32_t>(root)),
      nodes_(1),
      sets_(from.sets().begin(), from.sets().end()) {
  node_writer writer(from, nodes_);
  for (const rule_node &r : from.rules()) {
    names_.push_back(r.name);
    if (!r.defined)
      refuse_rule(names_.size() - 1, "is not defined");
    starts_.push_back(writer.write(r.body, end));
    ends_.push_back(static_cast<std::int32_t>(nodes_.size()));
  }
  check_left_recursion();
  find_needs();
  find_classes();
}

void automaton::refuse_rule(std::size_t r, const char *why) const {
  throw error(error_code::invalid_argument,
              "the rule '" + names_[r] + "' " + why);
}

/// Bytes are split by one set after the other.
void automaton::find_classes() {
  std::size_t count = 1;
  for (const byte_set &set : sets_) {
    std::map<std::pair<std::uint8_t, bool>, std::uint8_t> renamed;
    for (std::size_t b = 0; b < 256; ++b) {
      const auto found = renamed.try_emplace(
          {classes_[b], set[b]}, static_cast<std::uint8_t>(renamed.size()));
      classes_[b] = found.first->second;
    }
    count = renamed.size();
    if (count == 256)
      break;
  }
  representatives_.resize(count);
  for (std::size_t b = 0; b < 256; ++b)
    representatives_[classes_[b]] = static_cast<std::uint8_t>(b);
}

/// A node needs what its cheapest way on needs; a call that something follows
/// needs one entry more than the rule. Rounds go over the rules from both ends
/// in turn, over the nodes of a rule from its end.
void automaton::find_needs() {
  needs_.assign(nodes_.size(), never);
  needs_[end] = 0;
  const auto need_of = [&](const node &n) {
    switch (n.kind) {
    case node_kind::end:
      return 0;
    case node_kind::bytes:
      return need(n.next);
    case node_kind::split:
      return std::min(need(n.next), need(n.other));
    case node_kind::call:
      return std::max(need(start_of(n.other)) + (n.next == end ? 0 : 1),
                      need(n.next));
    }
    return never;
  };
  bool changed = true;
  for (int round = 0; changed; ++round) {
    if (round == most_rounds)
      throw error(error_code::invalid_argument,
                  "the grammar's rules call each other too deeply");
    changed = false;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const std::size_t r = round % 2 == 0 ? i : starts_.size() - 1 - i;
      for (std::int32_t n = r == 0 ? 1 : ends_[r - 1]; n < ends_[r]; ++n) {
        auto &old = needs_[static_cast<std::size_t>(n)];
        const auto now = std::min(need_of(at(n)), never);
        changed |= now < old;
        old = std::min(old, now);
      }
    }
  }
  if (need(start()) > bounds_.depth)
    refuse_rule(static_cast<std::size_t>(root_),
                "matches no text within the depth that is allowed");
}

/// By rule: whether it matches the empty text.
std::vector<bool> automaton::nullable_rules() const {
  std::vector<bool> node_nullable(nodes_.size()), out(starts_.size());
  node_nullable[end] = true;
  const auto nullable = [&](std::int32_t n) {
    return node_nullable[static_cast<std::size_t>(n)];
  };
  bool changed = true;
  for (int round = 0; changed && round < most_rounds; ++round) {
    changed = false;
    for (std::int32_t n = 1; n < static_cast<std::int32_t>(size()); ++n) {
      const node &x = at(n);
      const bool now = (x.kind == node_kind::split &&
                        (nullable(x.next) || nullable(x.other))) ||
                       (x.kind == node_kind::call && nullable(x.next) &&
                        nullable(start_of(x.other)));
      changed |= now && !nullable(n);
      if (now)
        node_nullable[static_cast<std::size_t>(n)] = true;
    }
  }
  for (std::size_t r = 0; r < out.size(); ++r)
    out[r] = nullable(starts_[r]);
  return out;
}

/// Rules are nodes of a graph, with an edge to each rule that is called before
/// a byte was read; it must not have a cycle.
void automaton::check_left_recursion() const {
  const auto nullable = nullable_rules();
  std::vector<std::vector<std::int32_t>> calls(starts_.size());
  std::vector<std::size_t> seen_by(nodes_.size(), starts_.size());
  for (std::size_t r = 0; r < starts_.size(); ++r) {
    std::vector<std::int32_t> open{starts_[r]};
    while (!open.empty()) {
      const std::int32_t n = open.back();
      open.pop_back();
      if (std::exchange(seen_by[static_cast<std::size_t>(n)], r) == r)
        continue;
      const node &x = at(n);
      if (x.kind == node_kind::split)
        open.insert(open.end(), {x.next, x.other});
      if (x.kind != node_kind::call)
        continue;
      calls[r].push_back(x.other);
      if (nullable[static_cast<std::size_t>(x.other)])
        open.push_back(x.next);
    }
  }
  // Rules that call none that is left are taken out; a cycle stays.
  std::vector<std::size_t> missing(calls.size());
  std::vector<std::vector<std::size_t>> callers(calls.size());
  std::vector<std::size_t> free;
  for (std::size_t r = 0; r < calls.size(); ++r) {
    missing[r] = calls[r].size();
    for (const std::int32_t c : calls[r])
      callers[static_cast<std::size_t>(c)].push_back(r);
    if (missing[r] == 0)
      free.push_back(r);
  }
  while (!free.empty()) {
    const std::size_t r = free.back();
    free.pop_back();
    for (const std::size_t c : callers[r])
      if (--missing[c] == 0)
        free.push_back(c);
  }
  for (std::size_t r = 0; r < missing.size(); ++r)
    if (missing[r] > 0)
      refuse_rule(r, "is left-recursive or calls one that is: it comes back "
                     "to itself before anything is read");
}

} // namespace ganglion::runtime::grammar
