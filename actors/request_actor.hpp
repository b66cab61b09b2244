// One request: from the client's words to its last event.
#pragma once

#include "actors/caf_boundary.hpp"
#include "actors/environment.hpp"
#include "actors/request_logic.hpp"
#include "actors/status_board.hpp"

namespace ganglion::actors {

/// What a request actor needs of the engine.
struct request_context {
  std::shared_ptr<const runtime::loaded_model> model;
  runtime::scheduling_config config;
  environment surroundings;
  rt::actor tokenizer, scheduler;
  std::shared_ptr<status_board> board;
};

/// Spawns the actor; it ends after the last event has been pushed.
rt::actor spawn_request(rt::event_actor *parent, submit_request submitted,
                        std::shared_ptr<const request_context> context);

} // namespace ganglion::actors
