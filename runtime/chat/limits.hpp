// How much one rendering may do before it is ended.
#pragma once

#include <cstddef>

namespace ganglion::runtime::chat {

/// How deeply lists, dictionaries, expressions and blocks may nest.
inline constexpr std::size_t most_nesting = 200;

struct limits {
  /// Nodes evaluated and items or pieces of text looked at.
  std::size_t steps = 5'000'000;
  /// Macros, recursive loops and nested values entered at once.
  std::size_t depth = 200;
  /// Bytes of the prompt.
  std::size_t output = std::size_t{16} << 20;
  /// Bytes of text and lists made on the way, in sum.
  std::size_t memory = std::size_t{256} << 20;
};

} // namespace ganglion::runtime::chat
