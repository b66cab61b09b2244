#include "runtime/grammar/node_writer.hpp"

namespace ganglion::runtime::grammar {

std::int32_t node_writer::push(node n) {
  if (nodes_.size() >= from_.bounds().nodes)
    refuse_size("nodes", from_.bounds().nodes);
  nodes_.push_back(n);
  return static_cast<std::int32_t>(nodes_.size() - 1);
}

std::int32_t node_writer::write(expr e, std::int32_t next) {
  const expr_node &n = from_.expressions()[static_cast<std::size_t>(e)];
  switch (n.kind) {
  case expr_kind::empty:
    return next;
  case expr_kind::bytes:
    return push({node_kind::bytes, next, n.a});
  case expr_kind::sequence: {
    const auto parts = from_.children(n);
    for (std::size_t i = parts.size(); i-- > 0;)
      next = write(parts[i], next);
    return next;
  }
  case expr_kind::any_of:
    return any_of(from_.children(n), next);
  case expr_kind::repeat:
    return repeat(n, next);
  case expr_kind::call:
    return push({node_kind::call, next, n.a});
  }
  return next;
}

std::int32_t node_writer::any_of(std::span<const expr> parts,
                                 std::int32_t next) {
  std::int32_t out = write(parts.back(), next);
  for (std::size_t i = parts.size() - 1; i-- > 0;) {
    const std::int32_t way = write(parts[i], next);
    out = push({node_kind::split, way, out});
  }
  return out;
}

std::int32_t node_writer::repeat(const expr_node &e, std::int32_t next) {
  std::int32_t out = next;
  if (e.b == no_bound) {
    out = push({node_kind::split, next, next});
    const std::int32_t body = write(e.child, out);
    nodes_[static_cast<std::size_t>(out)].other = body;
  }
  // Each of the optional ones may be the last.
  for (std::int32_t i = e.a; i < e.b; ++i) {
    const std::int32_t body = write(e.child, out);
    out = body == out ? out : push({node_kind::split, body, next});
  }
  for (std::int32_t i = 0; i < e.a; ++i) {
    const std::int32_t before = out;
    out = write(e.child, out);
    if (out == before)
      break; // it matches nothing, however often
  }
  return out;
}

} // namespace ganglion::runtime::grammar
