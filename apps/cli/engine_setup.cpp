#include "apps/cli/engine_setup.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"

namespace ganglion::apps {

runtime::loaded_config
load_command_config(const runtime::parsed_command &arguments,
                    const command_context &context) {
  auto loaded = runtime::load_config({.command_line = arguments.engine,
                                      .variables = context.variables,
                                      .properties_path = std::nullopt});
  log::configure(loaded.config.server.log_level);
  for (const auto &warning : loaded.warnings)
    log::warn("{}", warning);
  return loaded;
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
