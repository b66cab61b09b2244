#include "runtime/tokenizer/byte_trie.hpp"

namespace ganglion::runtime {

std::int32_t byte_trie::child(std::int32_t from, char byte) const {
  if (from == root)
    return root_children_[static_cast<unsigned char>(byte)];
  auto next = at(from).first_child;
  while (next >= 0 && at(next).byte != byte)
    next = at(next).sibling;
  return next;
}

void byte_trie::add(std::string_view key, std::int32_t value) {
  std::int32_t here = root;
  for (const char byte : key) {
    auto next = child(here, byte);
    if (next < 0) {
      next = static_cast<std::int32_t>(nodes_.size());
      auto &head = here == root
                       ? root_children_[static_cast<unsigned char>(byte)]
                       : nodes_[static_cast<std::size_t>(here)].first_child;
      const node added{-1, -1, here == root ? -1 : head, byte};
      head = next;
      nodes_.push_back(added);
    }
    here = next;
  }
  auto &end = nodes_[static_cast<std::size_t>(here)];
  if (end.value < 0)
    end.value = value;
}

} // namespace ganglion::runtime
