#include "runtime/config/load_config.hpp"

#include "hlo/support/error.hpp"
#include "runtime/config/config_notes.hpp"
#include "runtime/config/container_start.hpp"
#include "runtime/config/default_cache.hpp"
#include "runtime/config/load_models.hpp"
#include "runtime/config/neuron_block.hpp"

#include <filesystem>

namespace ganglion::runtime {

namespace {

constexpr const char *properties_name = "serving.properties";

bool is_file(const std::string &path) {
  std::error_code ignored; // what cannot be seen is not there
  return std::filesystem::is_regular_file(path, ignored);
}

std::string directory_of(const std::string &file) {
  const auto directory = std::filesystem::path(file).parent_path();
  return directory.empty() ? "." : directory.string();
}

std::string describe(const unknown_key &unknown) {
  std::string out = unknown.where + ": unknown key '" + unknown.key + "'";
  if (!unknown.nearest.empty())
    out += "; did you mean '" + unknown.nearest + "'?";
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

/// Collects settings, source by source, and knows what they come to so far.
class collection {
public:
  explicit collection(const config_inputs &inputs) : inputs_(inputs) {
    take(settings_from(inputs.variables, table_));
    if (inputs.config_path)
      take(settings_from(load_properties(*inputs.config_path), table_,
                         *inputs.config_path, option_origin::config_file));
    add(inputs.command_line);
    add(hosting_settings(inputs.hosting_directory, values_));
    if (!values_.is_set("model_id"))
      add(settings_of_models(values_));
    locate();
  }

  void add_properties() {
    const auto path = properties_path();
    if (path.empty())
      return;
    // Weaker than everything that names a model.
    settings_.insert(settings_.begin(),
                     {find_option(table_, "model_id"), directory_of(path),
                      option_origin::fallback, path, "model_id"});
    auto file = settings_from(load_properties(path), table_, path);
    let_name_the_model(file);
    take(std::move(file));
    locate();
  }

  void add_neuron_block() {
    const auto block = neuron_block_settings(model_.directory, values_);
    if (block.empty() && values_.string("model_loader") == "optimum") {
      const auto &loader = values_.at("model_loader");
      throw error(error_code::invalid_argument,
                  "optimum needs a model whose config.json has a neuron block",
                  loader.where, loader.key);
    }
    add(block);
  }

  void add(const std::vector<option_setting> &more) {
    settings_.insert(settings_.end(), more.begin(), more.end());
    values_ = option_values::resolve(table_, settings_);
  }

  const option_values &values() const { return values_; }
  const located_model &model() const { return model_; }
  const std::vector<unknown_key> &unknown() const { return unknown_; }

  std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    for (const auto &key : unknown_)
      out.push_back(describe(key) + "; ignored");
    for (auto &note : notes_on(table_, values_))
      out.push_back(std::move(note));
    return out;
  }

private:
  /// Again when the name has changed.
  void locate() {
    const auto &name = values_.string("model_id");
    if (name == located_)
      return;
    located_ = name;
    model_ = inputs_.locate ? inputs_.locate(name, values_)
                            : located_model{.directory = name};
  }

  void take(source_settings source) {
    for (auto &key : source.unknown)
      unknown_.push_back(std::move(key));
    add(source.settings);
  }

  /// The properties file to read, or an empty text.
  std::string properties_path() const {
    if (inputs_.properties_path)
      return *inputs_.properties_path;
    const auto path = model_.directory + "/" + properties_name;
    return !model_.directory.empty() && is_file(path) ? path : std::string();
  }

  /// Whoever gave a directory without a model meant the file in it.
  void let_name_the_model(const source_settings &file) {
    const bool names =
        std::ranges::any_of(file.settings, [](const option_setting &setting) {
          return setting.option->name == "model_id";
        });
    if (names && !inputs_.properties_path &&
        !is_file(model_.directory + "/config.json"))
      std::erase_if(settings_, [](const option_setting &setting) {
        return setting.option->name == "model_id";
      });
  }

  const option_table &table_ = engine_options();
  const config_inputs &inputs_;
  std::vector<option_setting> settings_;
  std::vector<unknown_key> unknown_;
  option_values values_ = option_values::resolve(table_, {});
  std::string located_; ///< the name that `model_` was found for
  located_model model_;
};

} // namespace

namespace {

/// What was found, and what else may lie elsewhere.
void use_locations(const config_inputs &inputs, const located_model &found,
                   const option_values &values, engine_config &config) {
  config.model.model_id = found.directory;
  if (!found.name.empty() && !values.is_set("model_name"))
    config.model.model_name = served_name(found.name);
  if (!inputs.locate)
    return;
  const auto replace = [&](std::string &name) {
    name = inputs.locate(name, values).directory;
  };
  if (config.speculation.has_model())
    replace(config.speculation.draft_model);
  for (auto *path :
       {&config.model.compiled_graph_path, &config.speculation.compiled_path})
    if (path->starts_with("s3://"))
      replace(*path);
}

} // namespace

loaded_config load_config(const config_inputs &inputs) {
  collection all(inputs);
  all.add_properties();
  all.add_neuron_block();
  const bool container = inputs.container_cores > 0;
  if (container)
    all.add(smart_settings(all.model().directory, all.values(),
                           inputs.container_cores));
  if (all.values().boolean("strict"))
    refuse_all(all.unknown());
  auto config = make_engine_config(all.values());
  use_locations(inputs, all.model(), all.values(), config);
  if (container)
    start_as_container(all.values(), config);
  if (all.values().string("artifact_cache") == "auto")
    use_default_cache(inputs.variables, config.model);
  return {std::move(config), all.values(), all.warnings()};
}

} // namespace ganglion::runtime
