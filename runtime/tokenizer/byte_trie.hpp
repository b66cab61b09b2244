// A trie over bytes: which of a set of strings a text starts with.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// Filled once, then only read, by any number of threads.
class byte_trie {
public:
  byte_trie() { root_children_.fill(-1); }

  static constexpr std::int32_t root = 0;

  /// Gives `key`, not empty, the value `value` (not negative) unless it has
  /// one already.
  void add(std::string_view key, std::int32_t value);
  /// The node one `byte` further than `from`, or -1.
  std::int32_t child(std::int32_t from, char byte) const;
  /// The value of the key that ends at `at_node`, or -1.
  std::int32_t value(std::int32_t at_node) const { return at(at_node).value; }

private:
  struct node {
    std::int32_t value = -1;
    std::int32_t first_child = -1;
    std::int32_t sibling = -1;
    char byte = 0;
  };
  const node &at(std::int32_t index) const {
    return nodes_[static_cast<std::size_t>(index)];
  }

  std::vector<node> nodes_{1};
  // The root has many children, the other nodes few.
  std::array<std::int32_t, 256> root_children_{};
};

} // namespace ganglion::runtime
