// One run of a template: what it has used of its limits, where it is, and the
// objects it made.
#pragma once

#include "runtime/chat/chat_error.hpp"
#include "runtime/chat/limits.hpp"
#include "runtime/chat/object.hpp"
#include "runtime/chat/value.hpp"

#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime::chat {

/// Belongs to one thread. Outlives every value of its rendering.
class rendering {
public:
  rendering(const limits &most, std::function<std::tm()> clock)
      : most_(most),
        clock_(std::move(clock)) {}

  /// The line being evaluated, for messages.
  std::size_t line = 1;

  [[noreturn]] void fail(failure kind, const std::string &message) const {
    throw chat_error(kind, message, line);
  }
  /// Accounts for work; both throw `failure::limit`.
  void step(std::size_t count = 1);
  void reserve(std::size_t bytes);
  /// Accounts for looking through `bytes` of text.
  void scan(std::size_t bytes) { step(bytes / 16 + 1); }

  /// Appends to a text that templates write.
  void emit(std::string &out, std::string_view text);

  /// `text` and `items` as values, accounted for.
  value text(std::string text);
  value list(std::vector<value> items,
             sequence_kind kind = sequence_kind::list);
  value dict(std::vector<value::entry> entries);
  /// A value that fails with `message` when it is used.
  static value missing(std::string message, bool unsafe = false);

  template <class T, class... Arguments>
  T &own(Arguments &&...arguments) {
    reserve(sizeof(T) + 64);
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    T &out = *made;
    objects_.push_back(std::move(made));
    return out;
  }

  std::tm now() const;

  /// Counts as one level while it lives.
  class level {
  public:
    explicit level(rendering &run);
    ~level() { --run_.depth_; }
    level(const level &) = delete;
    level &operator=(const level &) = delete;

  private:
    rendering &run_;
  };

private:
  void check_depth(const value &made) const;

  limits most_;
  std::function<std::tm()> clock_;
  std::size_t steps_ = 0, bytes_ = 0, depth_ = 0;
  std::vector<std::unique_ptr<object>> objects_;
};

} // namespace ganglion::runtime::chat
