#include "hlo/proto/module_file.hpp"

#include "hlo/proto/serialise.hpp"
#include "hlo/text/parser.hpp"

namespace ganglion::hlo {

std::unique_ptr<module> read_module(std::string_view bytes,
                                    const std::string &where) {
  // A proto starts with the tag of its name, a line feed, and a length: never
  // with letters.
  const auto start = bytes.find_first_not_of(" \t\r\n");
  const std::string_view text =
      start == std::string_view::npos ? bytes : bytes.substr(start);
  if (text.starts_with("HloModule") || text.starts_with("//") ||
      text.starts_with("/*"))
    return parse(bytes, where);
  return deserialise(bytes, where);
}

} // namespace ganglion::hlo
