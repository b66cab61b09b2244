#include "neuron/compiler/sharing.hpp"

#include <algorithm>

namespace ganglion::neuron {

namespace {

using kind = share_map::kind;

bool overlap(const memory_use &a, const memory_use &b) {
  if (a.where.where != b.where.where)
    return false;
  if (a.where.where == buffer_ref::place::parameter)
    return a.where.index == b.where.index;
  return a.where.index < b.where.index + b.bytes &&
         b.where.index < a.where.index + a.bytes;
}

bool has_columns(const share_map &m, std::int64_t members) {
  return m.how == kind::columns ||
         (m.how == kind::heads && m.units % members == 0);
}

/// Whether every member touches the same columns under both.
bool same_columns(const share_map &a, const share_map &b,
                  std::int64_t members) {
  if (a.row_bytes != b.row_bytes)
    return false;
  for (std::int64_t part = 1; part < members; ++part) {
    const auto edge = [&](const share_map &m) {
      return std::min(range_of(m.units, {part, members}).begin * m.width,
                      m.row_bytes);
    };
    if (edge(a) != edge(b))
      return false;
  }
  return true;
}

/// Whether no member touches what another one touches.
bool apart(const share_map &a, const share_map &b, std::int64_t members) {
  if (a.how == kind::first)
    return b.how == kind::first;
  if (a.how == kind::rows)
    return b.how == kind::rows && a.bound == b.bound && a.units == b.units;
  return has_columns(a, members) && has_columns(b, members) &&
         same_columns(a, b, members);
}

} // namespace

bool clash(const memory_use &a, const memory_use &b, std::int64_t members) {
  if ((!a.writes && !b.writes) || !overlap(a, b))
    return false;
  // Single calls run in order wherever they write.
  if (a.by.how == kind::first && b.by.how == kind::first)
    return false;
  return !(a.where == b.where && a.bytes == b.bytes &&
           apart(a.by, b.by, members));
}

} // namespace ganglion::neuron
