// Writes an object again with some members changed or added.
#pragma once

#include "runtime/json/reader.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ganglion::json {

/// The object's JSON text, one member a line; `members` are names and JSON
/// texts, which replace what has the same name or come last.
std::string
with_members(const value &object,
             const std::vector<std::pair<std::string, std::string>> &members);

} // namespace ganglion::json
