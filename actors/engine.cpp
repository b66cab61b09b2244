#include "actors/engine.hpp"

#include "actors/caf_boundary.hpp"
#include "actors/hosted_engine.hpp"
#include "hlo/support/log.hpp"

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

std::string_view to_string(request_end end) {
  constexpr std::string_view words[request_ends] = {
      "length", "eos_token", "stop_sequence", "cancelled", "error"};
  return words[static_cast<int>(end)];
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

class engine::implementation {
public:
  implementation(engine_config config, load_observer observer)
      : system(std::make_unique<caf::actor_system>(settings)),
        hosted(std::make_unique<hosted_engine>(*system, std::move(config),
                                               std::move(observer))) {}

  ~implementation() {
    // Longer than any step; loading may take longer still, and is waited for
    // below.
    const bool ended = hosted->status().state == engine_state::loading ||
                       hosted->stop(std::chrono::seconds(5));
    hosted.reset();
    if (ended)
      return;
    log::error("a shard's thread is stuck; its core is lost and its actor "
               "system is left behind");
    static_cast<void>(system.release());
    static_cast<void>(settings_owner.release());
  }

  // A system that is left behind still reads its settings.
  std::unique_ptr<control_config> settings_owner =
      std::make_unique<control_config>();
  control_config &settings = *settings_owner;
  std::unique_ptr<caf::actor_system> system;
  std::unique_ptr<hosted_engine> hosted;
};

engine::engine(engine_config config, load_observer observer)
    : self_(std::make_unique<implementation>(std::move(config),
                                             std::move(observer))) {}

engine::~engine() = default;

void engine::wait_until_ready() { self_->hosted->wait_until_ready(); }

request_id engine::submit(generation_request request,
                          std::shared_ptr<event_sink> sink) {
  return self_->hosted->submit(std::move(request), std::move(sink));
}

request_id engine::submit(generation_request request,
                          std::function<bool(generation_event)> on_event) {
  return submit(std::move(request),
                std::make_shared<function_sink>(std::move(on_event)));
}

void engine::cancel(request_id id) { self_->hosted->cancel(id); }

bool engine::drain(duration limit) { return self_->hosted->drain(limit); }

engine_status engine::status() const { return self_->hosted->status(); }

const engine_metrics &engine::metrics() const {
  return self_->hosted->metrics();
}

void engine::heartbeat(std::function<void()> alive) const {
  self_->hosted->heartbeat(std::move(alive));
}

std::shared_ptr<const runtime::loaded_model> engine::model() const {
  return self_->hosted->model();
}

} // namespace ganglion
