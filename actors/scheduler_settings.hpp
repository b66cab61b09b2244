// What the scheduler must know of a loaded model and its configuration.
#pragma once

#include "actors/environment.hpp"
#include "runtime/config/engine_config.hpp"
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/shard/loaded_model.hpp"

namespace ganglion::actors {

runtime::scheduler_limits limits_of(const runtime::loaded_model &model,
                                    const runtime::engine_config &config,
                                    const environment &surroundings);

} // namespace ganglion::actors
