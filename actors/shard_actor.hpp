// One NeuronCore of a group: owns a shard on a thread of its own and answers
// step plans with step results.
#pragma once

#include "actors/caf_boundary.hpp"
#include "actors/environment.hpp"
#include "actors/messages.hpp"
#include "actors/status_board.hpp"
#include "runtime/shard/shard.hpp"

namespace ganglion::actors {

struct shard_context {
  std::shared_ptr<const runtime::loaded_model> model;
  runtime::shard_options options;
  environment surroundings;
  std::uint64_t epoch = 0;
  runtime::load_progress progress;
  rt::actor engine;
  std::shared_ptr<status_board> board;
};

/// Loads its weights first, then tells the engine `shard_ready` or
/// `load_failed`. Receives `join_group` and `run_step`.
rt::actor spawn_shard(rt::event_actor *parent, shard_context context);

} // namespace ganglion::actors
