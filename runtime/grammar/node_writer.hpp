// Writes expressions as nodes of an automaton.
#pragma once

#include "runtime/grammar/automaton.hpp"

namespace ganglion::runtime::grammar {

/// Appends to `nodes`. What comes after an expression is written before it, so
/// that nodes only lead to lower ones, but for loops and calls.
class node_writer {
public:
  node_writer(const builder &from, std::vector<node> &nodes)
      : from_(from),
        nodes_(nodes) {}

  /// The node where `e` starts, after which `next` comes. Throws
  /// `invalid_argument` for more nodes than are allowed.
  std::int32_t write(expr e, std::int32_t next);

private:
  std::int32_t push(node n);
  std::int32_t any_of(std::span<const expr> parts, std::int32_t next);
  std::int32_t repeat(const expr_node &e, std::int32_t next);

  const builder &from_;
  std::vector<node> &nodes_;
};

} // namespace ganglion::runtime::grammar
