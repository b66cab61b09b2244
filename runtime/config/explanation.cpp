#include "runtime/config/explanation.hpp"

#include "runtime/config/value_text.hpp"

#include <algorithm>
#include <vector>

namespace ganglion::runtime {

namespace {

bool does_something(const option_spec &spec) {
  return spec.scope != option_scope::ignored &&
         spec.scope != option_scope::refused;
}

std::string origin_text(const resolved_option &option) {
  switch (option.origin) {
  case option_origin::serving_environment:
  case option_origin::own_variable:
  case option_origin::option_environment:
  case option_origin::command_line:
    return option.where + " " + option.key;
  case option_origin::fallback:
  case option_origin::smart_default:
  case option_origin::config_file:
  case option_origin::properties:
  case option_origin::host_program:
    break;
  }
  return option.where;
}

/// One assignment to a row.
struct row {
  std::string assignment, origin;
};

std::vector<row> rows_of(const option_values &values) {
  std::vector<row> out;
  for (const auto &spec : engine_options()) {
    const auto &option = values.at(spec.name);
    if (does_something(spec) || values.is_set(spec.name))
      out.push_back(
          {std::string(spec.name) + " = " + shown_text(spec, option.value),
           origin_text(option)});
  }
  return out;
}

} // namespace

std::string explanation(const option_values &values) {
  constexpr std::size_t most = 44; // longer ones only push their own origin
  const auto rows = rows_of(values);
  std::size_t width = 0;
  for (const auto &row : rows)
    width = std::max(width, std::min(row.assignment.size(), most));
  std::string out;
  for (auto row : rows) {
    row.assignment.resize(std::max(row.assignment.size(), width), ' ');
    out += row.assignment + "  # " + row.origin + "\n";
  }
  return out;
}

std::string given_lines(const option_values &values) {
  std::string out;
  for (const auto &spec : engine_options())
    if (const auto &option = values.at(spec.name);
        option.origin != option_origin::fallback || spec.name == "model_id")
      out += "option." + std::string(spec.name) + "=" +
             shown_text(spec, option.value) + "\n";
  return out;
}

} // namespace ganglion::runtime
