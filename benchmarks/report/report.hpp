// What a mode found, as tables that print as aligned text or as JSON, headed by
// how the figures were made.
#pragma once

#include "benchmarks/report/statistics.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ganglion::benchmarks {

/// Text, a count, one number, or a median with spread.
using cell = std::variant<std::string, std::int64_t, double, figure>;

/// One column: its key in JSON ("tokens_per_s") and its unit ("1/s", may be
/// empty).
struct column {
  std::string name;
  std::string unit = {};
};

struct table {
  std::string title;
  /// One sentence: what was done and what a figure is the median of.
  std::string how;
  std::vector<column> columns;
  std::vector<std::vector<cell>> rows = {}; ///< as many cells as columns
};

struct report {
  std::string machine; ///< see `machine_line`
  std::string command; ///< as typed
  std::vector<table> tables = {};
};

/// For people. Medians print as "12.3 (11.9-12.8)", low to high.
std::string as_text(const report &r);

/// {"machine", "command", "tables": [{"title", "how", "columns", "rows":
/// [{column: value}]}]}, where a figure is an object with median, low, high,
/// deviation and samples.
std::string as_json(const report &r);

} // namespace ganglion::benchmarks
