// How the typed parts of a tokenizer.json ("normalizer", "decoder", ...) are
// read: each has a "type", lists of parts have a name of their own, and a
// type that is not known is refused by name and path.
#pragma once

#include "hlo/support/error.hpp"
#include "runtime/json/reader.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ganglion::runtime {

/// Throws `unsupported`: `what` of this `type`, with its path.
[[noreturn]] inline void refuse_component(const json::value &component,
                                          const std::string &what) {
  const auto type = component.at("type");
  throw error(error_code::unsupported,
              what + " '" + type.as_string() + "' is not supported",
              type.where(), type.path());
}

/// One row of a table of parts: a type and the function that reads it.
template <class Made>
struct component_maker {
  std::string_view type;
  Made (*make)(const json::value &component);
};

/// Makes `component` by the row of its type; throws when there is none.
template <class Made, std::size_t N>
Made make_component(const json::value &component,
                    const component_maker<Made> (&table)[N],
                    const std::string &what) {
  const auto type = component.at("type").as_string();
  for (const auto &row : table)
    if (row.type == type)
      return row.make(component);
  refuse_component(component, what);
}

} // namespace ganglion::runtime
