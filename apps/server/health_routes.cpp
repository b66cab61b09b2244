#include "apps/server/health_routes.hpp"

#include "apps/serving/heartbeat_check.hpp"

namespace ganglion::apps {

http_response ready_response(engine_state state, bool alive) {
  const bool ready = alive && state == engine_state::ready;
  const auto word = alive ? to_string(state) : "stuck";
  http_response out;
  out.status = ready ? 200 : 503;
  out.body = "{\"status\":\"" + std::string(word) + "\"}";
  return out;
}

std::vector<http_route> health_routes(const model_access &access) {
  const http_handler live = [](const http_request &, auto reply) {
    http_response out;
    out.body = R"({"status":"live"})";
    reply->send(std::move(out));
  };
  const http_handler ready = [access](const http_request &, auto reply) {
    check_heartbeat(*access.served, access.executor, access.patience,
                    [access, reply](bool alive) {
                      reply->send(
                          ready_response(access.served->status().state, alive));
                    });
  };
  return {
      {"GET", "/health/live", live},
      {"GET", "/health/ready", ready},
      {"GET", "/health", ready},
  };
}

} // namespace ganglion::apps
