// value | NAME(arguments).
#pragma once

#include "runtime/chat/rendering.hpp"

#include <span>

namespace ganglion::runtime::chat {

struct filter_entry {
  std::string_view name;
  value (*apply)(rendering &run, const value &subject, const arguments &given);
};

/// One table for each file of filters.
std::span<const filter_entry> text_filters();
std::span<const filter_entry> number_filters();
std::span<const filter_entry> sequence_filters();
std::span<const filter_entry> selecting_filters();

/// Null when there is none.
const filter_entry *find_filter(std::string_view name);
/// Throws `chat_error` of `line` when there is none, or none here.
const filter_entry &require_filter(std::string_view name, std::size_t line);

} // namespace ganglion::runtime::chat
