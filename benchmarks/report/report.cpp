#include "benchmarks/report/report.hpp"

#include "runtime/json/writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ganglion::benchmarks {

namespace {

/// Three significant digits or all before the point.
std::string number_text(double value) {
  const double size = std::abs(value);
  const int places = size == 0     ? 0
                     : size < 0.01 ? 5
                     : size < 1    ? 3
                     : size < 10   ? 2
                     : size < 100  ? 1
                                   : 0;
  char out[64];
  std::snprintf(out, sizeof out, "%.*f", places, value);
  return out;
}

struct cell_text {
  std::string operator()(const std::string &text) const { return text; }
  std::string operator()(std::int64_t count) const {
    return std::to_string(count);
  }
  std::string operator()(double value) const { return number_text(value); }
  std::string operator()(const figure &f) const {
    if (f.samples == 0)
      return "-";
    if (f.samples == 1)
      return number_text(f.median);
    return number_text(f.median) + " (" + number_text(f.low) + "-" +
           number_text(f.high) + ")";
  }
};

struct cell_json {
  json::writer &w;
  void operator()(const std::string &text) const { w.string(text); }
  void operator()(std::int64_t count) const { w.integer(count); }
  void operator()(double value) const { w.real(value); }
  void operator()(const figure &f) const {
    w.begin_object();
    w.key("median").real(f.median).key("low").real(f.low);
    w.key("high").real(f.high).key("deviation").real(f.deviation);
    w.key("samples").integer(static_cast<std::int64_t>(f.samples));
    w.end_object();
  }
};

std::string heading(const column &c) {
  return c.unit.empty() ? c.name : c.name + " [" + c.unit + "]";
}

std::vector<std::vector<std::string>> grid_of(const table &t) {
  std::vector<std::vector<std::string>> grid(1);
  for (const column &c : t.columns)
    grid[0].push_back(heading(c));
  for (const auto &row : t.rows) {
    auto &line = grid.emplace_back();
    for (const cell &value : row)
      line.push_back(std::visit(cell_text{}, value));
  }
  return grid;
}

/// `text` broken at spaces into lines of at most 100.
std::string wrapped(const std::string &text) {
  std::string out;
  std::size_t at = 0;
  while (text.size() - at > 100) {
    const auto space = text.rfind(' ', at + 100);
    if (space == std::string::npos || space <= at)
      break;
    out += text.substr(at, space - at) + "\n";
    at = space + 1;
  }
  return out + text.substr(at);
}

std::string table_text(const table &t) {
  const auto grid = grid_of(t);
  std::vector<std::size_t> widths(t.columns.size());
  for (const auto &line : grid)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  std::string out = t.title + "\n" + wrapped(t.how) + "\n\n";
  for (const auto &line : grid) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i)
      text += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

void table_json(json::writer &w, const table &t) {
  w.begin_object().key("title").string(t.title).key("how").string(t.how);
  w.key("columns").begin_array();
  for (const column &c : t.columns) {
    w.begin_object().key("name").string(c.name);
    w.key("unit").string(c.unit).end_object();
  }
  w.end_array().key("rows").begin_array();
  for (const auto &row : t.rows) {
    w.begin_object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      w.key(t.columns[i].name);
      std::visit(cell_json{w}, row[i]);
    }
    w.end_object();
  }
  w.end_array().end_object();
}

} // namespace

std::string as_text(const report &r) {
  std::string out = "machine: " + r.machine + "\ncommand: " + r.command + "\n";
  for (const table &t : r.tables)
    out += "\n" + table_text(t);
  return out;
}

std::string as_json(const report &r) {
  json::writer w;
  w.begin_object().key("machine").string(r.machine);
  w.key("command").string(r.command).key("tables").begin_array();
  for (const table &t : r.tables)
    table_json(w, t);
  return w.end_array().end_object().text() + "\n";
}

} // namespace ganglion::benchmarks
