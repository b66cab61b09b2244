// The actor around the scheduler: queue, sequences, KV blocks and all
// deadlines, with one timer.
#pragma once

#include "actors/caf_boundary.hpp"
#include "actors/environment.hpp"
#include "actors/messages.hpp"
#include "actors/status_board.hpp"

namespace ganglion::actors {

struct scheduler_context {
  runtime::scheduler_limits limits;
  environment surroundings;
  std::shared_ptr<status_board> board;
  rt::actor engine;
};

/// Receives `enqueue_sequences`, `forget_sequence`, `use_group`, `step_done`,
/// `fail_all`; sends `run_step` to every shard, `sequence_progress` and
/// `request_refused` to requests, `group_lost` to the engine.
rt::actor spawn_scheduler(rt::event_actor *parent, scheduler_context context);

} // namespace ganglion::actors
