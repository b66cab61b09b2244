// Reads lines of JSON from a stream, as many at once as are there already.
#pragma once

#include "runtime/json/reader.hpp"

#include <istream>
#include <string>
#include <vector>

namespace ganglion::apps {

/// A line and its number, for messages.
struct json_line {
  json::document value;
  std::size_t number = 0;
};

class json_line_reader {
public:
  explicit json_line_reader(std::istream &in) : in_(in) {}

  /// Waits for a line, then takes what else has come, up to a limit; blank
  /// lines are passed over. Empty at the end. Throws `corrupt_data` naming
  /// the line.
  std::vector<json_line> next();

private:
  static constexpr std::size_t most_lines = 1024;

  std::istream &in_;
  std::size_t number_ = 0;
};

} // namespace ganglion::apps
