// Puts a grammar together from expressions: what every source format (regex,
// EBNF, JSON schema) compiles to.
#pragma once

#include "runtime/grammar/code_points.hpp"
#include "runtime/grammar/limits.hpp"

#include <bitset>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime::grammar {

using byte_set = std::bitset<256>;

/// An expression of one builder, and one of its rules.
enum class expr : std::int32_t {};
enum class rule : std::int32_t {};

inline constexpr std::int32_t no_bound = -1;

enum class expr_kind : std::uint8_t {
  empty,
  bytes,
  sequence,
  any_of,
  repeat,
  call
};

struct expr_node {
  expr_kind kind = expr_kind::empty;
  std::int32_t a = 0, b = 0; ///< children's range, or bounds, or rule, or set
  expr child{};              ///< of repeat
};

struct rule_node {
  std::string name; ///< for messages
  expr body{};
  bool defined = false;
};

/// The number of expressions is bounded like that of nodes; over it,
/// `invalid_argument` is thrown.
class builder {
public:
  explicit builder(const limits &bounds) : bounds_(bounds) {}

  expr empty();
  expr bytes(const byte_set &set);
  /// The bytes of `text`, one after the other.
  expr literal(std::string_view text);
  /// One character of a set, in UTF-8; the set is not empty.
  expr character(const code_points &set);
  expr sequence(std::span<const expr> parts);
  expr sequence(std::initializer_list<expr> parts) {
    return sequence(std::span(parts.begin(), parts.size()));
  }
  /// One of them; `parts` is not empty.
  expr any_of(std::span<const expr> parts);
  expr any_of(std::initializer_list<expr> parts) {
    return any_of(std::span(parts.begin(), parts.size()));
  }
  /// One of these texts, at least one; common beginnings are shared.
  expr one_of(std::vector<std::string> texts);
  /// At least `least` times, at most `most` unless that is `no_bound`.
  expr repeat(expr part, std::int32_t least, std::int32_t most);
  expr optional(expr part) { return repeat(part, 0, 1); }
  expr call(rule r);

  /// A rule to be defined later, so that rules may call each other.
  rule declare(std::string name);
  void define(rule r, expr body);
  rule add(std::string name, expr body);

  const limits &bounds() const { return bounds_; }
  std::span<const expr_node> expressions() const { return expressions_; }
  std::span<const expr> children(const expr_node &e) const;
  std::span<const byte_set> sets() const { return sets_; }
  std::span<const rule_node> rules() const { return rules_; }

private:
  expr push(expr_node e);
  expr group(expr_kind kind, std::span<const expr> parts);
  expr one_of_sorted(std::span<const std::string> texts, std::size_t skip);
  expr utf8(const code_points &set);

  limits bounds_;
  std::vector<expr_node> expressions_;
  std::vector<expr> children_;
  std::vector<byte_set> sets_;
  std::vector<rule_node> rules_;
  std::map<code_points, rule> characters_;
};

/// Throws `invalid_argument`: the grammar is larger than a limit allows.
[[noreturn]] void refuse_size(const char *what, std::size_t most);

} // namespace ganglion::runtime::grammar
