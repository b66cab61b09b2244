// value is NAME(arguments).
#pragma once

#include "runtime/chat/rendering.hpp"

namespace ganglion::runtime::chat {

struct test_entry {
  std::string_view name;
  bool (*holds)(rendering &run, const value &subject, const arguments &given);
};

/// Null when there is none.
const test_entry *find_test(std::string_view name);
/// Throws `chat_error` of `line` when there is none.
const test_entry &require_test(std::string_view name, std::size_t line);

} // namespace ganglion::runtime::chat
