// What the targets of all grammar sources do with their bytes.
#pragma once

#include "hlo/support/error.hpp"
#include "runtime/grammar/compile.hpp"
#include "runtime/grammar/state_table.hpp"

#include <cstdlib>

namespace ganglion::testing {

/// A way through the grammar, at each place by the first byte from `wish` on
/// that may follow. What is alive must have a way on or an end.
inline void read_some(const runtime::grammar::automaton &rules) {
  runtime::grammar::state_table states(rules);
  std::int32_t at = states.start();
  unsigned wish = 7;
  for (int n = 0; n < 200 && at > runtime::grammar::dead; ++n) {
    std::int32_t next = runtime::grammar::dead;
    for (unsigned i = 0; i < 256 && next == runtime::grammar::dead; ++i)
      next = states.next(at, static_cast<std::uint8_t>(wish + i));
    if (next == runtime::grammar::dead && !states.accepts(at))
      std::abort();
    at = next;
    wish = wish * 31 + 17;
  }
}

inline void compile_and_read(runtime::output_kind kind,
                             const std::uint8_t *data, std::size_t size) {
  runtime::grammar::limits few;
  few.nodes = 1 << 12;
  few.states = 1 << 10;
  few.threads = 1 << 8;
  try {
    read_some(runtime::grammar::compile(
        {kind, {reinterpret_cast<const char *>(data), size}, {}}, few));
  } catch (const error &e) {
    if ((e.code() != error_code::invalid_argument &&
         e.code() != error_code::unsupported) ||
        !e.field().starts_with("structured_outputs"))
      std::abort();
  }
}

} // namespace ganglion::testing
