#include "runtime/config/container_start.hpp"

#include "hlo/support/error.hpp"
#include "neuron/instance.hpp"
#include "runtime/config/core_list.hpp"
#include "runtime/config/smart_defaults.hpp"

#include <filesystem>
#include <optional>

namespace ganglion::runtime {

namespace {

std::int64_t cores_of(const option_values &values, std::int64_t host_cores) {
  const auto &profile = neuron::profile_of(values.string("instance"));
  const auto all = profile.cores > 0 ? profile.cores : host_cores;
  return static_cast<std::int64_t>(
      core_list(values.at("visible_cores"), all).size());
}

/// What somebody gave, unless it leaves the choice to others (0).
std::optional<std::int64_t> given(const option_values &values,
                                  const char *name) {
  const auto value = values.integer(name);
  return values.is_set(name) && value != 0 ? std::optional(value)
                                           : std::nullopt;
}

std::optional<std::int64_t> given_degree(const option_values &values,
                                         std::int64_t cores) {
  constexpr const char *name = "tensor_parallel_degree";
  if (!values.is_set(name))
    return std::nullopt;
  return values.integer(name) == 0 ? cores : values.integer(name);
}

bool asks_for_int8(const option_values &values) {
  return values.string("quantize") != "none" || values.boolean("load_in_8bit");
}

/// batch_size and a disabled rolling batch say the batch themselves.
bool leaves_batch_open(const option_values &values) {
  return !values.is_set("batch_size") &&
         values.string("rolling_batch") != "disable";
}

void refuse_code(const std::string &directory) {
  for (const char *name : {"model.py", "requirements.txt"}) {
    const auto path = directory + "/" + name;
    std::error_code ignored; // what cannot be seen is not run either
    if (std::filesystem::exists(path, ignored))
      throw error(error_code::unsupported,
                  "a model's own code is never run; accepted: a directory "
                  "without this file",
                  path);
  }
}

} // namespace

std::vector<option_setting> smart_settings(const std::string &directory,
                                           const option_values &values,
                                           std::int64_t host_cores) {
  const auto shape = shape_for_defaults(directory);
  if (!shape)
    return {};
  const auto cores = cores_of(values, host_cores);
  given_sizes wanted;
  wanted.n_positions = given(values, "n_positions");
  wanted.tp_degree = given_degree(values, cores);
  wanted.batch = given(values, "max_rolling_batch_size");
  wanted.quantised = asks_for_int8(values);
  const auto chosen = smart_defaults(*shape, cores, wanted);
  std::vector<option_setting> out;
  const auto add = [&](const char *name, std::int64_t value) {
    out.push_back({find_option(engine_options(), name), std::to_string(value),
                   option_origin::smart_default, "smart default", name});
  };
  add("n_positions", chosen.n_positions);
  add("tensor_parallel_degree", chosen.tp_degree);
  if (chosen.batch && leaves_batch_open(values))
    add("max_rolling_batch_size", *chosen.batch);
  return out;
}

std::vector<option_setting> hosting_settings(const std::string &directory,
                                             const option_values &values) {
  std::error_code ignored; // what cannot be seen is not there
  if (values.is_set("model_id") || values.is_set("load_models") ||
      values.is_set("model_store") ||
      !std::filesystem::is_directory(directory, ignored))
    return {};
  std::vector<option_setting> out;
  for (const auto &[name, text] :
       {std::pair("model_store", directory),
        std::pair("host", std::string("0.0.0.0")),
        std::pair("wait_model_loading", std::string("true"))})
    out.push_back({find_option(engine_options(), name), text,
                   option_origin::smart_default, directory, name});
  return out;
}

void start_as_container(const option_values &values, engine_config &config) {
  constexpr std::int64_t per_rank = 2;
  refuse_code(config.model.model_id);
  if (values.is_set("tensor_parallel_degree") &&
      !values.boolean("use_all_cpus"))
    config.graph.most_threads_per_rank = per_rank;
}

} // namespace ganglion::runtime
