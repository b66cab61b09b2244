#include "apps/cli/engine_setup.hpp"

#include "apps/cli/progress_view.hpp"
#include "apps/sources/locate_model.hpp"
#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "neuron/cpu/thread_team.hpp"

namespace ganglion::apps {

namespace {

/// Loads with a view of downloads.
runtime::loaded_config load(runtime::config_inputs inputs,
                            const command_context &context, bool fetch) {
  log::keep_off_stdout();
  const steady_clock time;
  progress_view view(context.err, context.err_is_terminal, time);
  if (fetch)
    inputs.locate = [&](const std::string &model,
                        const runtime::option_values &values) {
      auto options = source_options_of(values, context.variables);
      options.observer = observer_of(view);
      return locate_model(model, options);
    };
  auto loaded = runtime::load_config(inputs);
  view.finish();
  log::configure(loaded.config.server.log_level);
  for (const auto &warning : loaded.warnings)
    log::warn("{}", warning);
  return loaded;
}

} // namespace

runtime::loaded_config
load_command_config(const runtime::parsed_command &arguments,
                    const command_context &context) {
  return load(
      {.command_line = arguments.engine, .variables = context.variables},
      context, true);
}

runtime::loaded_config
load_container_config(const runtime::parsed_command &arguments,
                      const command_context &context, bool fetch) {
  runtime::config_inputs inputs{.command_line = arguments.engine,
                                .variables = context.variables};
  if (const auto &file = arguments.own.string("config_file"); !file.empty())
    inputs.config_path = file;
  inputs.hosting_directory = "/opt/ml/model";
  inputs.container_cores =
      static_cast<std::int64_t>(neuron::allowed_cpus().size());
  return load(std::move(inputs), context, fetch);
}

runtime::option_table container_command_options() {
  return {{.name = "config_file",
           .help = "the container's config.properties, which is weaker than "
                   "the environment"}};
}

runtime::engine_config
load_single_config(const runtime::parsed_command &arguments,
                   const command_context &context) {
  auto loaded = load_command_config(arguments, context);
  if (!loaded.values.is_set("max_rolling_batch_size") &&
      !loaded.values.is_set("batch_size"))
    loaded.config.scheduling.max_rolling_batch_size = 1;
  return std::move(loaded.config);
}

void wait_until_ready(engine &model) {
  try {
    model.wait_until_ready();
  } catch (const error &e) {
    // The engine's message says place and field already.
    throw error(e.code(), e.what());
  }
}

} // namespace ganglion::apps
