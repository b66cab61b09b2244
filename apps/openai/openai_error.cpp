#include "apps/openai/openai_error.hpp"

#include "apps/serving/event_stream.hpp"
#include "apps/serving/retry_after.hpp"
#include "runtime/json/writer.hpp"

namespace ganglion::apps {

namespace {

struct renamed {
  std::string_view inside, completions, chat;
};

constexpr renamed names[] = {
    {"inputs", "prompt", "messages"},
    {"prompt_ids", "prompt", "messages"},
    {"max_new_tokens", "max_tokens", "max_completion_tokens"},
    {"min_new_tokens", "min_tokens", "min_tokens"},
    {"top_logprobs", "logprobs", "top_logprobs"},
};

/// Bodies are read under their own names.
std::string_view outside(const request_failure &failure, openai_route route) {
  for (const auto &row : names)
    if (failure.where != "request" && row.inside == failure.field)
      return route == openai_route::chat ? row.chat : row.completions;
  return failure.field;
}

std::string error_object(std::string_view message, std::string_view type,
                         std::string_view param, std::string_view code) {
  json::writer out;
  out.begin_object().key("error").begin_object();
  out.key("message").string(message);
  out.key("type").string(type);
  out.key("param");
  param.empty() ? out.null() : out.string(param);
  out.key("code");
  code.empty() ? out.null() : out.string(code);
  out.end_object().end_object();
  return out.text();
}

std::string_view code_word(const request_failure &failure) {
  if (failure.code == error_code::overloaded)
    return "rate_limit_exceeded";
  if (failure.code == error_code::not_found && failure.field == "model")
    return "model_not_found";
  return to_string(failure.code);
}

std::string error_object(const request_failure &failure, openai_route route) {
  const auto param = outside(failure, route);
  const auto message =
      (param.empty() ? "" : "'" + std::string(param) + "': ") + failure.message;
  return error_object(message, row_of(failure.code).openai.type, param,
                      code_word(failure));
}

} // namespace

http_response openai_refusal(const request_failure &failure,
                             openai_route route) {
  http_response out;
  out.status = row_of(failure.code).openai.status;
  out.body = error_object(failure, route);
  tell_retry(out, failure.code);
  return out;
}

std::string openai_error_event(const request_failure &failure,
                               openai_route route) {
  return stream_event(error_object(failure, route));
}

http_handler openai_guarded(openai_route route, http_handler handle) {
  return guarded(std::move(handle), [route](const request_failure &failure) {
    return openai_refusal(failure, route);
  });
}

http_response openai_refusal(unsigned status, std::string_view message) {
  const auto &words =
      row_of(status < 500 ? error_code::invalid_argument : error_code::internal)
          .openai;
  http_response out;
  out.status = status;
  out.body = error_object(message, words.type, {}, {});
  return out;
}

void check_openai_model(const std::string &asked, const std::string &model) {
  const bool endpoint = asked == "tgi" || asked == "dummy" ||
                        asked.starts_with("http://") ||
                        asked.starts_with("https://");
  if (!asked.empty() && asked != model && !endpoint)
    throw error(error_code::not_found,
                json::quote(asked) +
                    " does not exist here; accepted: " + json::quote(model),
                "request", "model");
}

} // namespace ganglion::apps
