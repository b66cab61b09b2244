// A grammar ready to match: nodes with at most two ways on, byte sets, and
// calls of rules. Together with a stack of return nodes, a pushdown automaton
// over bytes.
#pragma once

#include "runtime/grammar/builder.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ganglion::runtime::grammar {

enum class node_kind : std::uint8_t {
  end,   ///< of a rule
  bytes, ///< one byte of set `other`, then `next`
  split, ///< `next` or `other`
  call,  ///< rule `other`, then `next`
};

struct node {
  node_kind kind = node_kind::end;
  std::int32_t next = 0, other = 0;
};

/// Immutable.
class automaton {
public:
  /// Compiles what `root` matches. Throws `invalid_argument`: a rule that is
  /// not defined, that calls itself before anything is read (left recursion),
  /// that no text matches within the depth; or too many nodes.
  automaton(const builder &from, rule root);

  /// The node of every rule's end.
  static constexpr std::int32_t end = 0;

  std::int32_t start() const { return start_of(root_); }
  std::int32_t start_of(std::int32_t rule) const {
    return starts_[static_cast<std::size_t>(rule)];
  }
  const node &at(std::int32_t n) const {
    return nodes_[static_cast<std::size_t>(n)];
  }
  std::size_t size() const { return nodes_.size(); }
  /// Stack entries that the shortest way from a node to its rule's end takes.
  std::int32_t need(std::int32_t n) const {
    return needs_[static_cast<std::size_t>(n)];
  }
  /// Bytes that no set tells apart are one class.
  std::size_t classes() const { return representatives_.size(); }
  std::size_t class_of(std::uint8_t byte) const { return classes_[byte]; }
  /// Whether a bytes node takes the bytes of a class.
  bool takes(const node &n, std::size_t byte_class) const {
    return sets_[static_cast<std::size_t>(n.other)]
                [representatives_[byte_class]];
  }
  const limits &bounds() const { return bounds_; }

private:
  void find_classes();
  void find_needs();
  void check_left_recursion() const;
  std::vector<bool> nullable_rules() const;
  [[noreturn]] void refuse_rule(std::size_t rule, const char *why) const;

  limits bounds_;
  std::int32_t root_;
  std::vector<node> nodes_;
  std::vector<std::int32_t> starts_, ends_; ///< node ranges are by rule
  std::vector<std::string> names_;
  std::vector<byte_set> sets_;
  std::vector<std::int32_t> needs_;
  std::array<std::uint8_t, 256> classes_{};
  std::vector<std::uint8_t> representatives_;
};

} // namespace ganglion::runtime::grammar
