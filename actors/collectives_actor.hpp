// Owns the communicators of a group's epochs: makes them, aborts them when a
// member ends, combines parts that travel as messages, and counts.
#pragma once

#include "actors/caf_boundary.hpp"
#include "actors/environment.hpp"
#include "actors/messages.hpp"
#include "actors/status_board.hpp"

namespace ganglion::actors {

struct collectives_context {
  runtime::collectives_kind kind = runtime::collectives_kind::lease;
  environment surroundings;
};

/// Receives `create_group` (answers `group_created`), `watch_shards`,
/// `abort_group` and `contribution`.
rt::actor spawn_collectives(rt::event_actor *parent,
                            collectives_context context);

} // namespace ganglion::actors
