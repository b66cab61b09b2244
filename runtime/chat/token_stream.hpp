// Walking over tokens with one to look ahead.
#pragma once

#include "runtime/chat/chat_error.hpp"
#include "runtime/chat/limits.hpp"
#include "runtime/chat/token.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

class token_stream {
public:
  explicit token_stream(std::vector<token> tokens)
      : tokens_(std::move(tokens)) {}

  const token &current() const { return tokens_[at_]; }
  const token &following() const {
    return tokens_[std::min(at_ + 1, tokens_.size() - 1)];
  }
  /// The current token, left behind.
  const token &take() {
    const token &out = tokens_[at_];
    at_ += at_ + 1 < tokens_.size();
    return out;
  }

  bool is(token_kind kind) const { return current().kind == kind; }
  bool is_symbol(std::string_view s) const {
    return current().is(token_kind::symbol, s);
  }
  bool is_word(std::string_view w) const {
    return current().is(token_kind::name, w);
  }
  bool skip_symbol(std::string_view s) {
    return is_symbol(s) && (take(), true);
  }
  bool skip_word(std::string_view w) { return is_word(w) && (take(), true); }

  void expect_symbol(std::string_view s) {
    if (!skip_symbol(s))
      fail_expecting("'" + std::string(s) + "'");
  }
  void expect_word(std::string_view w) {
    if (!skip_word(w))
      fail_expecting("'" + std::string(w) + "'");
  }
  void expect(token_kind kind, const char *what) {
    if (!is(kind))
      fail_expecting(what);
    take();
  }
  std::string expect_name() {
    if (!is(token_kind::name))
      fail_expecting("a name");
    return take().text;
  }

  [[noreturn]] void fail_expecting(const std::string &what) const {
    fail(failure::syntax, "expected " + what + ", found " + found());
  }
  [[noreturn]] void fail(failure kind, const std::string &message) const {
    throw chat_error(kind, message, current().line);
  }

  /// Counts nesting while it lives; throws when there is too much.
  class level {
  public:
    explicit level(token_stream &stream) : stream_(stream) {
      if (++stream.depth_ > most_nesting) {
        --stream.depth_;
        stream.fail(failure::limit, "nests more than " +
                                        std::to_string(most_nesting) +
                                        " levels deep");
      }
    }
    ~level() { --stream_.depth_; }
    level(const level &) = delete;
    level &operator=(const level &) = delete;

  private:
    token_stream &stream_;
  };

private:
  std::string found() const {
    switch (current().kind) {
    case token_kind::end:
      return "the end of the template";
    case token_kind::text:
      return "text";
    case token_kind::begin_output:
      return "'{{'";
    case token_kind::end_output:
      return "'}}'";
    case token_kind::begin_block:
      return "'{%'";
    case token_kind::end_block:
      return "'%}'";
    default:
      return "'" + current().text + "'";
    }
  }

  std::vector<token> tokens_;
  std::size_t at_ = 0, depth_ = 0;
};

} // namespace ganglion::runtime::chat
