#include "runtime/grammar/token_trie.hpp"

#include "runtime/tokenizer/tokenizer.hpp"

#include <algorithm>

namespace ganglion::runtime::grammar {

token_trie::token_trie(std::vector<std::string> tokens)
    : tokens_(std::move(tokens)) {
  for (std::size_t i = 0; i < tokens_.size(); ++i)
    if (!tokens_[i].empty())
      sorted_.push_back(static_cast<std::int32_t>(i));
  std::ranges::sort(sorted_, [&](std::int32_t a, std::int32_t b) {
    const int order = bytes_of(a).compare(bytes_of(b));
    return order != 0 ? order < 0 : a < b;
  });
  std::vector<std::uint32_t> path;
  for (std::size_t i = 0; i < sorted_.size(); ++i)
    add(i, path);
  for (const std::uint32_t n : path)
    nodes_[n].end = static_cast<std::uint32_t>(nodes_.size());
}

/// Adds the `i`-th token. `path` are the nodes of the one before, which are
/// kept as far as the two start alike.
void token_trie::add(std::size_t i, std::vector<std::uint32_t> &path) {
  const auto bytes = bytes_of(sorted_[i]);
  longest_ = std::max(longest_, bytes.size());
  std::size_t common = 0;
  while (common < std::min(path.size(), bytes.size()) &&
         nodes_[path[common]].byte == static_cast<std::uint8_t>(bytes[common]))
    ++common;
  for (; path.size() > common; path.pop_back())
    nodes_[path.back()].end = static_cast<std::uint32_t>(nodes_.size());
  const auto place = static_cast<std::uint32_t>(i);
  for (std::size_t b = common; b < bytes.size(); ++b) {
    path.push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back({static_cast<std::uint8_t>(bytes[b]),
                      static_cast<std::uint32_t>(b + 1), 0, place, place});
  }
  nodes_[path.back()].last = place + 1;
}

std::vector<std::string> token_bytes(const tokenizer &tokens,
                                     std::size_t vocabulary) {
  std::vector<std::string> out(vocabulary);
  const auto known = std::min(
      vocabulary, static_cast<std::size_t>(std::max(tokens.vocab_size(), 0)));
  for (std::size_t i = 0; i < known; ++i) {
    const auto id = static_cast<std::int32_t>(i);
    if (tokens.is_special(id))
      out[i] = special_mark + std::string(*tokens.token_of(id));
    else
      out[i] = tokens.bytes_of(id);
  }
  return out;
}

} // namespace ganglion::runtime::grammar
