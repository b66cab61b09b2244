// The tokens of a vocabulary by their bytes, as one walk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {
class tokenizer;
}

namespace ganglion::runtime::grammar {

/// Before the name of a special token, where a grammar asks for one: no text
/// has this byte.
inline constexpr char special_mark = '\xFF';

/// Immutable.
class token_trie {
public:
  /// `tokens[id]` are the bytes of a token; without bytes it is never chosen.
  explicit token_trie(std::vector<std::string> tokens);

  /// A byte of one or more tokens. In the order of a walk: a node comes before
  /// those under it, which end at `end`.
  struct node {
    std::uint8_t byte = 0;
    std::uint32_t depth = 0; ///< bytes up to and with this one
    std::uint32_t end = 0;
    std::uint32_t first = 0, last = 0; ///< of `sorted`: those that end here
  };
  std::span<const node> nodes() const { return nodes_; }
  std::span<const std::int32_t> sorted() const { return sorted_; }

  /// Ids are below it.
  std::size_t vocabulary() const { return tokens_.size(); }
  std::string_view bytes_of(std::int32_t token) const {
    return tokens_[static_cast<std::size_t>(token)];
  }
  std::size_t longest() const { return longest_; }

private:
  void add(std::size_t i, std::vector<std::uint32_t> &path);

  std::vector<std::string> tokens_;
  std::vector<std::int32_t> sorted_; ///< tokens with bytes
  std::vector<node> nodes_;
  std::size_t longest_ = 0;
};

/// The bytes of all tokens of a model; `vocabulary` logits in a row. A special
/// token is its name after `special_mark`.
std::vector<std::string> token_bytes(const tokenizer &tokens,
                                     std::size_t vocabulary);

} // namespace ganglion::runtime::grammar
