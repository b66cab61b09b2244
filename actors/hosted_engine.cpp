#include "actors/hosted_engine.hpp"

#include "actors/engine_actor.hpp"

#include <atomic>

namespace ganglion {

namespace {

/// Unique in the process, so that several engines can share a log.
request_id next_request_id() {
  static std::atomic<request_id> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

/// Forwards events as messages; notices when the client is gone.
class actor_sink final : public event_sink {
public:
  explicit actor_sink(const caf::actor &client)
      : client_(caf::actor_cast<caf::actor_addr>(client)) {}

  bool push(generation_event event) override {
    const auto client = caf::actor_cast<caf::actor>(client_);
    if (!client)
      return false;
    actors::rt::post(client, std::move(event));
    return true;
  }

private:
  caf::actor_addr client_; // weak: a request keeps no client alive
};

/// The configuration's word counts where it has one.
actors::environment adjusted(actors::environment surroundings,
                             const engine_config &config) {
  const auto &c = config.scheduling;
  if (c.step_timeout)
    surroundings.stall_limit =
        std::chrono::duration_cast<duration>(*c.step_timeout);
  if (c.retry_threshold)
    surroundings.restart_budget = static_cast<int>(*c.retry_threshold);
  return surroundings;
}

} // namespace

hosted_engine::hosted_engine(caf::actor_system &system, engine_config config,
                             load_observer observer,
                             actors::environment surroundings)
    : board_(std::make_shared<actors::status_board>()),
      time_(surroundings.time) {
  auto context = adjusted(std::move(surroundings), config);
  engine_ = actors::spawn_engine(system, {std::move(config), std::move(context),
                                          std::move(observer), board_});
}

hosted_engine::~hosted_engine() {
  actors::rt::post(engine_, actors::stop_engine{});
}

void hosted_engine::wait_until_ready() {
  const engine_status s = board_->wait_loaded();
  if (s.state == engine_state::failed)
    throw error(s.code, s.message, {}, s.field);
}

request_id hosted_engine::submit(generation_request request,
                                 std::shared_ptr<event_sink> sink) {
  const request_id id = next_request_id();
  actors::rt::post(
      engine_,
      actors::submit_request{
          id, std::make_shared<const generation_request>(std::move(request)),
          std::move(sink), time_->now()});
  return id;
}

request_id hosted_engine::submit(generation_request request,
                                 const caf::actor &client) {
  return submit(std::move(request), std::make_shared<actor_sink>(client));
}

void hosted_engine::cancel(request_id id) {
  actors::rt::post(engine_, actors::cancel_request{id});
}

bool hosted_engine::drain(duration limit) {
  actors::rt::post(engine_, actors::begin_drain{});
  return board_->wait_idle(limit);
}

bool hosted_engine::stop(duration limit) {
  actors::rt::post(engine_, actors::stop_engine{});
  return board_->wait_shards_ended(limit);
}

engine_status hosted_engine::status() const { return board_->read(); }

const engine_metrics &hosted_engine::metrics() const {
  return board_->metrics();
}

void hosted_engine::heartbeat(std::function<void()> alive) const {
  actors::rt::post(
      engine_, actors::heartbeat{std::make_shared<const std::function<void()>>(
                   std::move(alive))});
}

std::shared_ptr<const runtime::loaded_model> hosted_engine::model() const {
  return board_->model();
}

} // namespace ganglion
