#include "runtime/config/config_source.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

constexpr std::string_view option_prefix = "option.";

/// Upper-case remainders become lower case; others are taken as they are.
std::string key_of_variable(std::string_view remainder) {
  std::string out(remainder);
  if (std::ranges::any_of(out, [](char c) { return c >= 'a' && c <= 'z'; }))
    return out;
  for (char &c : out)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return out;
}

const option_spec *find_own_variable(const option_table &table,
                                     std::string_view name) {
  for (const auto &spec : table)
    if (!spec.variable.empty() && spec.variable == name)
      return &spec;
  return nullptr;
}

/// Adds a line of a properties file, or lets it replace an earlier one.
void add_property(source_settings &out, option_setting setting) {
  const auto same =
      std::ranges::find(out.settings, setting.option, &option_setting::option);
  if (same == out.settings.end()) {
    out.settings.push_back(std::move(setting));
    return;
  }
  if (same->key != setting.key)
    throw error(error_code::invalid_argument,
                "the same option is given as '" + same->key + "' in " +
                    same->where + "; keep one of them",
                setting.where, setting.key);
  *same = std::move(setting);
}

/// Adds a variable whose name goes on as `remainder` after its prefix.
void add_variable(source_settings &out, const option_table &table,
                  const std::string &name, std::string_view remainder,
                  const std::string &value, option_origin origin) {
  const auto key = key_of_variable(remainder);
  if (const auto *spec = find_option(table, key))
    out.settings.push_back({spec, value, origin, "environment", name});
  else
    out.unknown.push_back({"environment", name, nearest_option(table, key)});
}

} // namespace

std::string_view to_string(option_origin origin) {
  switch (origin) {
  case option_origin::fallback:
    return "default";
  case option_origin::smart_default:
    return "smart default";
  case option_origin::config_file:
    return "config.properties";
  case option_origin::serving_environment:
  case option_origin::own_variable:
  case option_origin::option_environment:
    return "environment";
  case option_origin::properties:
    return "serving.properties";
  case option_origin::command_line:
    return "command line";
  case option_origin::host_program:
    return "host program";
  }
  return "default";
}

source_settings settings_from(const std::vector<property> &properties,
                              const option_table &table,
                              const std::string &where, option_origin origin) {
  source_settings out;
  for (const auto &[key, value, line] : properties) {
    std::string_view name = key;
    if (name.starts_with(option_prefix))
      name.remove_prefix(option_prefix.size());
    const auto place = where + ":" + std::to_string(line);
    if (const auto *spec = find_option(table, name))
      add_property(out, {spec, value, origin, place, key});
    else
      out.unknown.push_back({place, key, nearest_option(table, name)});
  }
  return out;
}

source_settings settings_from(const environment &variables,
                              const option_table &table) {
  constexpr std::string_view option = "OPTION_", serving = "SERVING_";
  source_settings out;
  for (const auto &[name, value] : variables) {
    const std::string_view text = name;
    if (value.empty())
      continue;
    if (text.starts_with(option))
      add_variable(out, table, name, text.substr(option.size()), value,
                   option_origin::option_environment);
    else if (text.starts_with(serving))
      add_variable(out, table, name, text.substr(serving.size()), value,
                   option_origin::serving_environment);
    else if (text.starts_with("ARGS_"))
      out.unknown.push_back({"environment", name, {}});
    else if (const auto *spec = find_own_variable(table, text))
      out.settings.push_back(
          {spec, value, option_origin::own_variable, "environment", name});
  }
  return out;
}

} // namespace ganglion::runtime
