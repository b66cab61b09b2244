// What commands that run a model do first: the configuration, from all
// sources, and logging.
#pragma once

#include "actors/engine.hpp"
#include "apps/cli/command.hpp"
#include "runtime/config/load_config.hpp"

namespace ganglion::apps {

/// Merges the command line with serving.properties and the environment, fetches
/// the model if it is elsewhere, sets the log level and logs the warnings.
/// Throws as `load_config` and `locate_model` do.
runtime::loaded_config
load_command_config(const runtime::parsed_command &arguments,
                    const command_context &context);

/// The same as `ganglion serve` does it, which starts as the LMI container
/// does; with the options of `container_command_options` on the command line.
/// Without `fetch` a model that is elsewhere stays there.
runtime::loaded_config
load_container_config(const runtime::parsed_command &arguments,
                      const command_context &context, bool fetch = true);

/// Options of commands that use `load_container_config`.
runtime::option_table container_command_options();

/// The same for commands that serve one request after the other: unless
/// somebody said otherwise, no room is kept for a batch.
runtime::engine_config
load_single_config(const runtime::parsed_command &arguments,
                   const command_context &context);

/// Waits until `model` is loaded; throws why it cannot be.
void wait_until_ready(engine &model);

} // namespace ganglion::apps
