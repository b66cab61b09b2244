// Arguments of built-in functions by position or by name.
#pragma once

#include "runtime/chat/rendering.hpp"

#include <initializer_list>

namespace ganglion::runtime::chat {

/// The arguments that belong to `names`, in this order. Throws `failure::type`
/// for too many, unknown or repeated ones.
class binding {
public:
  binding(rendering &run, std::string_view function, const arguments &given,
          std::initializer_list<std::string_view> names);

  bool has(std::size_t i) const { return values_[i].has_value(); }
  /// Throws `failure::type` when it was not given.
  const value &required(std::size_t i) const;
  value get(std::size_t i, value fallback) const {
    return values_[i].value_or(std::move(fallback));
  }
  bool flag(std::size_t i, bool fallback) const;
  std::int64_t whole(std::size_t i, std::int64_t fallback) const;
  std::string text(std::size_t i, std::string fallback) const;

private:
  [[noreturn]] void fail(const std::string &message) const;

  rendering &run_;
  std::string_view function_;
  std::vector<std::string_view> names_;
  std::vector<std::optional<value>> values_;
};

} // namespace ganglion::runtime::chat
