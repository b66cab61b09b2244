#include "runtime/config/load_config.hpp"

#include "hlo/support/error.hpp"
#include "runtime/config/neuron_block.hpp"

#include <filesystem>

namespace ganglion::runtime {

namespace {

constexpr const char *properties_name = "serving.properties";

void append(std::vector<option_setting> &settings,
            const std::vector<option_setting> &more) {
  settings.insert(settings.end(), more.begin(), more.end());
}

/// The properties file to read, or an empty text.
std::string find_properties(const config_inputs &inputs,
                            const option_values &values) {
  if (inputs.properties_path)
    return *inputs.properties_path;
  const auto &model = values.string("model_id");
  if (model.empty())
    return {};
  const auto path = model + "/" + properties_name;
  std::error_code ignored; // what cannot be seen is not there
  return std::filesystem::is_regular_file(path, ignored) ? path : std::string();
}

/// A properties file lies in its model's directory unless it says otherwise:
/// weaker than everything that names a model.
option_setting own_directory(const std::string &properties_path) {
  auto directory = std::filesystem::path(properties_path).parent_path();
  if (directory.empty())
    directory = ".";
  return {find_option(engine_options(), "model_id"), directory.string(),
          option_origin::fallback, properties_path, "model_id"};
}

std::string describe(const unknown_key &unknown) {
  std::string out = unknown.where + ": unknown key '" + unknown.key + "'";
  if (!unknown.nearest.empty())
    out += "; did you mean '" + unknown.nearest + "'?";
  return out;
}

std::vector<std::string> warnings_of(const std::vector<unknown_key> &unknown) {
  std::vector<std::string> out;
  out.reserve(unknown.size());
  for (const auto &key : unknown)
    out.push_back(describe(key) + "; ignored");
  return out;
}

void refuse_all(const std::vector<unknown_key> &unknown) {
  std::string all;
  for (const auto &key : unknown)
    all += describe(key) + "; ";
  if (!all.empty())
    throw error(error_code::invalid_argument,
                all + "refused because strict is set");
}

/// Smaller models are packed faster than anybody can tell.
constexpr std::uint64_t least_cached = std::uint64_t{64} << 20;

std::string variable(const environment &variables, const char *name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

/// The user's own cache, or nowhere for a user who has none.
void use_default_cache(const environment &variables, model_config &config) {
  auto base = variable(variables, "XDG_CACHE_HOME");
  if (const auto home = variable(variables, "HOME");
      base.empty() && !home.empty())
    base = home + "/.cache";
  if (base.empty())
    return;
  config.artifact_cache = base + "/ganglion";
  config.artifact_cache_least = least_cached;
}

} // namespace

loaded_config load_config(const config_inputs &inputs) {
  const auto &table = engine_options();
  auto [settings, unknown] = settings_from(inputs.variables, table);
  append(settings, inputs.command_line);
  auto values = option_values::resolve(table, settings);
  if (const auto path = find_properties(inputs, values); !path.empty()) {
    auto file = settings_from(load_properties(path), table, path);
    settings.insert(settings.begin(), own_directory(path));
    append(settings, file.settings);
    for (auto &key : file.unknown)
      unknown.push_back(std::move(key));
    values = option_values::resolve(table, settings);
  }
  if (const auto block =
          neuron_block_settings(values.string("model_id"), values);
      !block.empty()) {
    append(settings, block);
    values = option_values::resolve(table, settings);
  }
  if (values.boolean("strict"))
    refuse_all(unknown);
  auto config = make_engine_config(values);
  if (values.string("artifact_cache") == "auto")
    use_default_cache(inputs.variables, config.model);
  return {std::move(config), std::move(values), warnings_of(unknown)};
}

} // namespace ganglion::runtime
