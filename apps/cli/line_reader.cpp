#include "apps/cli/line_reader.hpp"

namespace ganglion::apps {

std::vector<json_line> json_line_reader::next() {
  std::vector<json_line> out;
  std::string line;
  while (out.size() < most_lines && std::getline(in_, line)) {
    ++number_;
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      out.push_back(
          {json::document::parse(line, "line " + std::to_string(number_)),
           number_});
    if (!out.empty() && in_.rdbuf()->in_avail() <= 0)
      break;
  }
  return out;
}

} // namespace ganglion::apps
