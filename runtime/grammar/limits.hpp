// How much a grammar may cost, to compile and while it is matched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ganglion::runtime::grammar {

/// Going over one is an `invalid_argument` that names the limit; while tokens
/// are matched it ends the request.
struct limits {
  std::size_t text = std::size_t{1} << 20;       ///< bytes of the source
  std::int32_t nesting = 100;                    ///< brackets within brackets
  std::size_t nodes = std::size_t{1} << 17;      ///< of the automaton
  std::int32_t depth = 64;                       ///< rules within rules
  std::size_t states = std::size_t{1} << 15;     ///< known at a time
  std::size_t threads = 2048;                    ///< ways to read one text
  std::uint64_t visits = std::uint64_t{1} << 22; ///< of nodes, for one mask
};

} // namespace ganglion::runtime::grammar
