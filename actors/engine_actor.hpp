// The root of an engine: loads the model, owns the other actors, answers for
// readiness and rebuilds a group that was lost.
#pragma once

#include "actors/caf_boundary.hpp"
#include "actors/environment.hpp"
#include "actors/messages.hpp"
#include "actors/status_board.hpp"

namespace ganglion::actors {

struct engine_context {
  engine_config config;
  environment surroundings;
  load_observer observer;
  std::shared_ptr<status_board> board;
};

/// Receives `submit_request`, `cancel_request`, `begin_drain`, `stop_engine`.
rt::actor spawn_engine(rt::actor_system &system, engine_context context);

} // namespace ganglion::actors
