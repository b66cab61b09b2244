#include "actors/engine.hpp"

#include "actors/caf_boundary.hpp"
#include "actors/hosted_engine.hpp"

namespace ganglion {

std::string_view to_string(engine_state state) {
  switch (state) {
  case engine_state::loading:
    return "loading";
  case engine_state::ready:
    return "ready";
  case engine_state::rebuilding:
    return "rebuilding";
  case engine_state::draining:
    return "draining";
  case engine_state::failed:
    return "failed";
  case engine_state::stopped:
    return "stopped";
  }
  return "stopped";
}

namespace {

struct control_config : caf::actor_system_config {
  control_config() { actors::rt::configure(*this); }
};

class function_sink final : public event_sink {
public:
  explicit function_sink(std::function<bool(generation_event)> f)
      : f_(std::move(f)) {}
  bool push(generation_event event) override { return f_(std::move(event)); }

private:
  std::function<bool(generation_event)> f_;
};

} // namespace

/// Members end in reverse order: first the engine, then the system, which
/// waits for its actors.
class engine::implementation {
public:
  implementation(engine_config config, load_observer observer)
      : system(settings),
        hosted(system, std::move(config), std::move(observer)) {}

  control_config settings;
  caf::actor_system system;
  hosted_engine hosted;
};

engine::engine(engine_config config, load_observer observer)
    : self_(std::make_unique<implementation>(std::move(config),
                                             std::move(observer))) {}

engine::~engine() = default;

void engine::wait_until_ready() { self_->hosted.wait_until_ready(); }

request_id engine::submit(generation_request request,
                          std::shared_ptr<event_sink> sink) {
  return self_->hosted.submit(std::move(request), std::move(sink));
}

request_id engine::submit(generation_request request,
                          std::function<bool(generation_event)> on_event) {
  return submit(std::move(request),
                std::make_shared<function_sink>(std::move(on_event)));
}

void engine::cancel(request_id id) { self_->hosted.cancel(id); }

bool engine::drain(duration limit) { return self_->hosted.drain(limit); }

engine_status engine::status() const { return self_->hosted.status(); }

} // namespace ganglion
