// The variables of one block and the blocks around it.
#pragma once

#include "runtime/chat/object.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace ganglion::runtime::chat {

/// Owned by the rendering, since a macro may outlive the block it was made in.
/// Names live in the syntax tree or the caller's options.
class scope : public object {
public:
  explicit scope(scope *parent) : parent_(parent) {}
  std::string type_name() const override { return "Context"; }

  void set(std::string_view name, value item) {
    for (auto &[known, old] : variables_)
      if (known == name) {
        old = std::move(item);
        return;
      }
    variables_.emplace_back(name, std::move(item));
  }
  /// Here or in an enclosing block; null when it is nowhere.
  const value *find(std::string_view name) const {
    for (const auto *s = this; s; s = s->parent_)
      for (const auto &[known, item] : s->variables_)
        if (known == name)
          return &item;
    return nullptr;
  }
  scope *parent() const { return parent_; }
  /// For the next round of a loop, unless a macro refers to this scope.
  void clear() { variables_.clear(); }
  bool kept = false;

private:
  scope *parent_;
  std::vector<std::pair<std::string_view, value>> variables_;
};

} // namespace ganglion::runtime::chat
