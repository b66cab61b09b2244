#include "runtime/json/edit.hpp"

#include "runtime/json/writer.hpp"

#include <algorithm>

namespace ganglion::json {

std::string
with_members(const value &object,
             const std::vector<std::pair<std::string, std::string>> &members) {
  std::string out;
  const auto add = [&](const std::string &name, const std::string &text) {
    out += (out.empty() ? "{\n  " : ",\n  ") + quote(name) + ": " + text;
  };
  for (const auto &[name, old] : object.members()) {
    const auto found = std::ranges::find(
        members, name, &std::pair<std::string, std::string>::first);
    if (found == members.end())
      add(name, old.dump());
  }
  for (const auto &[name, text] : members)
    add(name, text);
  return out.empty() ? "{}\n" : out + "\n}\n";
}

} // namespace ganglion::json
