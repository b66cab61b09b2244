#include "runtime/chat/object.hpp"

#include "runtime/chat/methods.hpp"
#include "runtime/chat/rendering.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

std::optional<value> object::member(rendering &, std::string_view) {
  return std::nullopt;
}

value object::call(rendering &run, const arguments &) {
  run.fail(failure::type, "'" + type_name() + "' object is not callable");
}

std::optional<value> namespace_object::member(rendering &run,
                                              std::string_view name) {
  run.step(members_.size() / 8 + 1);
  const auto found =
      std::ranges::find(members_, name, [](const auto &m) -> std::string_view {
        return m.first;
      });
  return found == members_.end() ? std::nullopt : std::optional(found->second);
}

void namespace_object::set(rendering &run, std::string_view name, value item) {
  run.step(members_.size() / 8 + 1);
  const auto found =
      std::ranges::find(members_, name, [](const auto &m) -> std::string_view {
        return m.first;
      });
  if (found != members_.end()) {
    found->second = std::move(item);
    return;
  }
  run.reserve(name.size() + sizeof(members_[0]));
  members_.emplace_back(name, std::move(item));
}

value method_object::call(rendering &run, const arguments &given) {
  return *call_method(run, receiver_, name_, given);
}

} // namespace ganglion::runtime::chat
