#include "apps/lmi/routes.hpp"

#include "apps/lmi/lmi_answer.hpp"
#include "apps/serving/generation_task.hpp"
#include "apps/serving/heartbeat_check.hpp"
#include "apps/serving/ignored_names.hpp"

namespace ganglion::apps {

namespace {

struct health {
  engine_state state;
  unsigned status;
  const char *word;
};

// Loading and rebuilding are no reason to replace a server; draining is one
// to send requests elsewhere.
constexpr health healths[] = {
    {engine_state::loading, 200, "PENDING"},
    {engine_state::ready, 200, "Healthy"},
    {engine_state::rebuilding, 200, "Unhealthy"},
    {engine_state::draining, 503, "Unhealthy"},
    {engine_state::stopped, 503, "Unhealthy"},
    {engine_state::failed, 500, "FAILED"},
};

/// Requests may name a model, in the path, the query or a header: there is
/// one.
void check_model(const std::string &asked, const std::string &model) {
  if (!asked.empty() && asked != model)
    throw error(error_code::not_found,
                "Model or workflow not found: " + header_token(asked));
}

void invoke(engine &engine, const engine_config &config,
            const boost::asio::any_io_executor &executor, http_request request,
            std::shared_ptr<http_reply> reply) {
  const auto &model = config.model.model_name;
  for (const auto &asked : request.captures)
    check_model(asked, model);
  check_model(request.query_value("model_name"), model);
  check_model(std::string(request.header("model_name")), model);
  try {
    auto call = parse_invocation(request.body, config.server.strict);
    log_ignored(request.id, call.ignored);
    std::vector<generation_request> sequences{call.request};
    std::make_shared<generation_task>(
        engine, request.id,
        std::make_unique<lmi_answer>(model, request.id, std::move(call)), reply)
        ->start(std::move(sequences), executor);
  } catch (const error &e) {
    auto refusal = failure_response(failure_of(e), model);
    refusal.headers.push_back({"requestId", request.id});
    reply->send(std::move(refusal));
  }
}

} // namespace

http_response ping_response(engine_state state, bool multi_status) {
  constexpr unsigned multi = 207;
  http_response out;
  for (const auto &row : healths)
    if (row.state == state) {
      out.status = row.status;
      out.body = "{\"status\":\"" + std::string(row.word) + "\"}";
    }
  if (multi_status && state == engine_state::loading)
    out.status = multi;
  return out;
}

http_response stuck_response() { return ping_response(engine_state::stopped); }

std::vector<http_route> lmi_routes(const model_access &access) {
  const http_handler ping = [access](const http_request &, auto reply) {
    check_heartbeat(
        *access.served, access.executor, access.patience,
        [access, reply](bool alive) {
          const auto multi = access.config->server.allow_multi_status;
          reply->send(alive
                          ? ping_response(access.served->status().state, multi)
                          : stuck_response());
        });
  };
  const http_handler invocations = [access](http_request request, auto reply) {
    invoke(*access.served, *access.config, access.executor, std::move(request),
           std::move(reply));
  };
  return {
      {"GET", "/ping", ping},
      {"POST", "/invocations", invocations},
      {"POST", "/predictions/{model}", invocations},
      {"POST", "/models/{model}/invoke", invocations},
  };
}

} // namespace ganglion::apps
