// An engine inside a host's own CAF actor system: the same as engine.hpp, with
// events also as actor messages.
#pragma once

#include "actors/environment.hpp"
#include "actors/messages.hpp"

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <memory>

namespace ganglion {

namespace actors {
class status_board;
}

/// The system must outlive this. Methods may be called from any thread.
class hosted_engine {
public:
  /// Spawns the engine's actors in `system` and starts loading.
  hosted_engine(caf::actor_system &system, engine_config config,
                load_observer observer = {},
                actors::environment surroundings = {});
  /// Stops the actors without waiting for them.
  ~hosted_engine();
  hosted_engine(const hosted_engine &) = delete;
  hosted_engine &operator=(const hosted_engine &) = delete;

  void wait_until_ready();

  request_id submit(generation_request request,
                    std::shared_ptr<event_sink> sink);
  /// Every event comes to `client` as a `generation_event` message. The engine
  /// holds it weakly: if it ends, its request is cancelled.
  request_id submit(generation_request request, const caf::actor &client);

  void cancel(request_id id);
  bool drain(duration limit);
  engine_status status() const;
  const engine_metrics &metrics() const;
  void heartbeat(std::function<void()> alive) const;
  std::shared_ptr<const runtime::loaded_model> model() const;

  /// Stops the actors and waits until the shards' threads have ended, at most
  /// for `limit`; false when one is stuck. Its memory is then still in use,
  /// and the actor system must not be destroyed.
  bool stop(duration limit);

  /// The engine actor, for hosts that would rather send `cancel_request`
  /// messages than call.
  const caf::actor &handle() const { return engine_; }

private:
  std::shared_ptr<actors::status_board> board_;
  std::shared_ptr<const clock> time_;
  caf::actor engine_;
};

} // namespace ganglion
