// The serving process: an engine, a listener, and how both come and go.
#pragma once

#include "actors/engine.hpp"
#include "apps/http/limits.hpp"

#include <memory>
#include <string>

namespace ganglion::apps {

struct lmi_server_options {
  engine_config config;
  http_limits limits; ///< those that no option says
  /// How long running requests may take to end when the server stops.
  std::chrono::milliseconds drain_limit{25'000};
  /// How long /ping tells of a model that cannot be loaded before the server
  /// ends.
  std::chrono::milliseconds failure_linger{3'000};
  /// SIGTERM and SIGINT call `stop`.
  bool handle_signals = true;
};

class lmi_server {
public:
  /// Listens at once, while the model loads. Throws what `http_listener`
  /// throws.
  explicit lmi_server(lmi_server_options options, load_observer observer = {});
  ~lmi_server();

  /// "http://127.0.0.1:8080", with the port it got.
  std::string address() const;
  std::uint16_t port() const;

  /// Serves on the calling thread until stopped; false when requests were
  /// still running at the end. Throws why the model could not be loaded.
  bool run();

  /// From any thread. Once: no new requests, and `run` returns when the others
  /// have ended or `drain_limit` has passed. Twice: at once.
  void stop();

  engine_status status() const;

private:
  class implementation;
  std::unique_ptr<implementation> self_;
};

} // namespace ganglion::apps
