// A set of characters as sequences of byte ranges: how UTF-8 writes it.
#pragma once

#include "runtime/grammar/code_points.hpp"

#include <cstdint>
#include <vector>

namespace ganglion::runtime::grammar {

struct byte_range {
  std::uint8_t first = 0, last = 0; ///< both included
};

/// Exactly the UTF-8 of the characters of `set`; every sequence is one to four
/// ranges, which combine freely.
std::vector<std::vector<byte_range>> utf8_ranges(const code_points &set);

} // namespace ganglion::runtime::grammar
