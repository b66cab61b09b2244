#include "apps/tgi/routes.hpp"

#include "apps/serving/generation_task.hpp"
#include "apps/serving/ignored_names.hpp"
#include "apps/tgi/server_info.hpp"
#include "apps/tgi/tgi_answer.hpp"

namespace ganglion::apps {

namespace {

void start(const model_access &access, tgi_route route,
           const http_request &request,
           const std::shared_ptr<http_reply> &reply) {
  auto call = parse_tgi_call(route, request.body, access.config->server.strict);
  log_ignored(request.id, call.ignored);
  auto sequences = sequences_of(call);
  std::make_shared<generation_task>(
      *access.served, request.id, std::make_unique<tgi_answer>(std::move(call)),
      reply)
      ->start(std::move(sequences), access.executor);
}

http_handler generation(const model_access &access, tgi_route route) {
  return guarded(
      [access, route](const http_request &request, auto reply) {
        start(access, route, request, reply);
      },
      tgi_refusal);
}

} // namespace

std::vector<http_route> tgi_routes(const model_access &access) {
  const auto info = guarded(
      [access](const http_request &, auto reply) {
        http_response out;
        out.body = server_info(access);
        reply->send(std::move(out));
      },
      tgi_refusal);
  return {
      {"POST", "/", generation(access, tgi_route::root)},
      {"POST", "/generate", generation(access, tgi_route::generate)},
      {"POST", "/generate_stream",
       generation(access, tgi_route::generate_stream)},
      {"GET", "/info", info},
  };
}

} // namespace ganglion::apps
