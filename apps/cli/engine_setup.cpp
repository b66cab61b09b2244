#include "apps/cli/engine_setup.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "neuron/cpu/thread_team.hpp"

namespace ganglion::apps {

namespace {

runtime::loaded_config logged(runtime::loaded_config loaded) {
  log::configure(loaded.config.server.log_level);
  for (const auto &warning : loaded.warnings)
    log::warn("{}", warning);
  return loaded;
}

} // namespace

runtime::loaded_config
load_command_config(const runtime::parsed_command &arguments,
                    const command_context &context) {
  return logged(runtime::load_config(
      {.command_line = arguments.engine, .variables = context.variables}));
}

runtime::loaded_config
load_container_config(const runtime::parsed_command &arguments,
                      const command_context &context) {
  runtime::config_inputs inputs{.command_line = arguments.engine,
                                .variables = context.variables};
  if (const auto &file = arguments.own.string("config_file"); !file.empty())
    inputs.config_path = file;
  inputs.container_cores =
      static_cast<std::int64_t>(neuron::allowed_cpus().size());
  return logged(runtime::load_config(inputs));
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
