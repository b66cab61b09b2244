#include "runtime/chat/from_json.hpp"

#include "hlo/support/error.hpp"
#include "runtime/chat/limits.hpp"

namespace ganglion::runtime::chat {

namespace {

value convert(const json::value &source, std::size_t depth) {
  if (depth > most_nesting)
    throw error(error_code::invalid_argument,
                "nests too deeply; accepted: " + std::to_string(most_nesting) +
                    " levels",
                source.where(), source.path());
  if (source.is_null())
    return {};
  if (source.is_bool())
    return source.as_bool();
  if (source.is_string())
    return source.as_string();
  if (source.is_integer())
    return source.as_int();
  if (source.is_number())
    return source.as_double();
  if (source.is_array()) {
    std::vector<value> items;
    for (const auto &item : source.items())
      items.push_back(convert(item, depth + 1));
    return value::list(std::move(items));
  }
  std::vector<value::entry> entries;
  for (const auto &[key, member] : source.members())
    entries.emplace_back(key, convert(member, depth + 1));
  return value::dict(std::move(entries));
}

} // namespace

value from_json(const json::value &source) { return convert(source, 0); }

} // namespace ganglion::runtime::chat
