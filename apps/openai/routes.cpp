#include "apps/openai/routes.hpp"

#include "apps/openai/chat_routes.hpp"
#include "apps/openai/completion_answer.hpp"
#include "apps/openai/model_list.hpp"
#include "apps/openai/openai_error.hpp"
#include "apps/openai/token_routes.hpp"
#include "apps/serving/generation_task.hpp"
#include "apps/serving/unix_time.hpp"
#include "runtime/shard/loaded_model.hpp"

namespace ganglion::apps {

namespace {

/// What a call that echoes its prompts puts before their continuations.
std::vector<std::string> echoed(const openai_call &call,
                                const model_access &access) {
  std::vector<std::string> out;
  if (!call.echo)
    return out;
  for (const auto &prompt : call.prompts)
    out.push_back(
        prompt.prompt_ids.empty()
            ? prompt.prompt
            : access.tokens()->decode(prompt.prompt_ids,
                                      call.request.skip_special_tokens));
  return out;
}

void start_completion(const model_access &access, const http_request &request,
                      const std::shared_ptr<http_reply> &reply) {
  auto call = parse_openai_call(openai_route::completions, request.body);
  check_openai_model(call.model, access.name());
  auto prompts = echoed(call, access);
  auto sequences = sequences_of(call);
  token_names names(call.wants_logprobs() ? access.model()->tokens : nullptr);
  std::make_shared<generation_task>(
      *access.served, request.id,
      std::make_unique<completion_answer>(
          std::move(call),
          answer_names{"cmpl-" + request.id, access.name(), unix_time()},
          std::move(names), std::move(prompts)),
      reply)
      ->start(std::move(sequences), access.executor);
}

} // namespace

std::vector<http_route> openai_routes(const model_access &access) {
  const auto completions =
      openai_guarded(openai_route::completions,
                     [access](const http_request &request, auto reply) {
                       start_completion(access, request, reply);
                     });
  std::vector<http_route> out{{"POST", "/v1/completions", completions}};
  std::ranges::move(chat_routes(access), std::back_inserter(out));
  std::ranges::move(model_list_routes(access), std::back_inserter(out));
  std::ranges::move(token_routes(access), std::back_inserter(out));
  return out;
}

bool is_openai_path(std::string_view path) {
  return path.starts_with("/v1/") || path == "/tokenize" ||
         path == "/detokenize";
}

} // namespace ganglion::apps
