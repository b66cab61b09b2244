// Opens and compiles a model on a thread of its own.
#pragma once

#include "actors/engine_actor.hpp"

namespace ganglion::actors {

/// Sends `model_loaded` or `load_failed` to `engine`, then ends.
void spawn_loader(rt::event_actor *engine, const engine_context &context);

} // namespace ganglion::actors
