#include "apps/openai/chat_routes.hpp"

#include "apps/openai/chat_answer.hpp"
#include "apps/openai/openai_error.hpp"
#include "apps/serving/generation_task.hpp"
#include "apps/serving/parameter_reading.hpp"
#include "apps/serving/unix_time.hpp"
#include "runtime/chat/model_chat.hpp"
#include "runtime/shard/loaded_model.hpp"

namespace ganglion::apps {

namespace {

constexpr auto route = openai_route::chat;

/// Chats end by themselves: without a limit they may go on to the last
/// position.
std::int64_t longest_answer(const engine_config &config) {
  const auto limit = config.scheduling.max_new_tokens_limit;
  return limit > 0 ? limit : most_tokens;
}

std::string render(const runtime::model_chat &chat, const openai_call &call) {
  runtime::chat_options options;
  options.add_generation_prompt = call.add_generation_prompt;
  options.extra = call.variables;
  if (call.tools.active())
    options.tools = call.tools.for_template;
  return chat.prompt(call.messages, std::move(options));
}

void start(const model_access &access, const std::string &request_id,
           openai_call call, const std::shared_ptr<http_reply> &reply) {
  if (call.request.max_new_tokens == 0)
    call.request.max_new_tokens = longest_answer(*access.config);
  auto sequences = sequences_of(call);
  const auto tokens = access.model()->tokens;
  std::make_shared<generation_task>(
      *access.served, request_id,
      std::make_unique<chat_answer>(
          std::move(call),
          answer_names{"chatcmpl-" + request_id, access.name(), unix_time()},
          tokens),
      reply)
      ->start(std::move(sequences), access.executor);
}

/// Renders away from the server's thread; a client may leave meanwhile.
void render_and_start(const model_access &access, const http_request &request,
                      const std::shared_ptr<http_reply> &reply) {
  const auto call =
      std::make_shared<openai_call>(parse_openai_call(route, request.body));
  check_openai_model(call->model, access.name());
  use_tools(call->tools, access.chat()->tools(), call->request);
  const auto gone = std::make_shared<bool>(false);
  reply->on_abandoned([gone] { *gone = true; });
  access.worker->run<std::string>(
      [chat = access.chat(), call] { return render(*chat, *call); },
      [access, id = request.id, call, reply, gone](std::string prompt) {
        if (*gone)
          return;
        call->prompts.front().prompt = std::move(prompt);
        start(access, id, std::move(*call), reply);
      },
      [reply](const error &e) {
        auto failure = failure_of(e);
        if (failure.field.empty())
          failure.field = "messages";
        reply->send(openai_refusal(failure, route));
      });
}

} // namespace

std::vector<http_route> chat_routes(const model_access &access) {
  const auto chat =
      openai_guarded(route, [access](const http_request &request, auto reply) {
        render_and_start(access, request, reply);
      });
  return {{"POST", "/v1/chat/completions", chat}};
}

} // namespace ganglion::apps
