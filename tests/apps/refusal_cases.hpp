// Bad requests and what must be said of them, from a table in
// tests/cases/refusals.
#pragma once

#include "hlo/support/error.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace ganglion::testing {

/// The table's form:
///
///     # a comment
///     @route /path              of the lines that follow
///     @base {"prompt": "a",     what a body that begins with '+' continues
///     STATUS | FIELD | PART OF THE MESSAGE | BODY
///
/// %LONG% in a body is a text longer than the model's positions.
struct refusal_case {
  std::string route, body, field, part;
  int status = 0;
};

class refusal_table_reader {
public:
  static std::vector<refusal_case> read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    refusal_table_reader reader;
    for (std::string line; std::getline(file, line);)
      reader.read_line(line);
    if (reader.cases_.empty())
      throw error(error_code::corrupt_data, "no table of refusals", path);
    return reader.cases_;
  }

private:
  void read_line(std::string line) {
    if (line.empty() || line[0] == '#')
      return;
    if (line.starts_with("@route "))
      route_ = line.substr(7);
    else if (line.starts_with("@base "))
      base_ = line.substr(6);
    else
      read_case(line);
  }

  void read_case(std::string &line) {
    refusal_case out;
    out.route = route_;
    out.status = std::stoi(take(line));
    out.field = take(line);
    out.part = take(line);
    out.body =
        line.starts_with('+') ? base_ + line.substr(1) + closing() : line;
    if (const auto at = out.body.find("%LONG%"); at != std::string::npos)
      out.body.replace(at, 6, long_text());
    cases_.push_back(std::move(out));
  }

  /// The text before the next separator, which are taken off.
  static std::string take(std::string &line) {
    const auto end = line.find(" | ");
    if (end == std::string::npos)
      throw error(error_code::corrupt_data, "too few columns: " + line);
    const auto out = line.substr(0, end);
    line.erase(0, end + 3);
    return out;
  }

  std::string closing() const {
    const auto open =
        std::ranges::count(base_, '{') + std::ranges::count(base_, '[');
    const auto closed =
        std::ranges::count(base_, '}') + std::ranges::count(base_, ']');
    return std::string(static_cast<std::size_t>(open - closed), '}');
  }

  static std::string long_text() {
    std::string out;
    for (int i = 0; i < 600; ++i)
      out += "Once ";
    return out;
  }

  std::string route_, base_;
  std::vector<refusal_case> cases_;
};

} // namespace ganglion::testing
