#include "runtime/chat/filters.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

namespace {

constexpr std::string_view not_offered[] = {
    "filesizeformat", "pprint",    "random", "slice",    "striptags",
    "truncate",       "urlencode", "urlize", "wordwrap", "xmlattr"};

} // namespace

const filter_entry *find_filter(std::string_view name) {
  for (const auto all : {text_filters(), number_filters(), sequence_filters(),
                         selecting_filters()})
    if (const auto found = std::ranges::find(all, name, &filter_entry::name);
        found != all.end())
      return &*found;
  return nullptr;
}

const filter_entry &require_filter(std::string_view name, std::size_t line) {
  if (const auto *found = find_filter(name))
    return *found;
  if (std::ranges::count(not_offered, name))
    throw chat_error(failure::unsupported,
                     "the filter '" + std::string(name) + "' is not supported",
                     line);
  throw chat_error(failure::syntax,
                   "No filter named '" + std::string(name) + "'.", line);
}

} // namespace ganglion::runtime::chat
