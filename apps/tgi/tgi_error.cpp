#include "apps/tgi/tgi_error.hpp"

#include "apps/serving/event_stream.hpp"
#include "apps/serving/retry_after.hpp"
#include "runtime/json/writer.hpp"

namespace ganglion::apps {

namespace {

struct opening {
  std::string_view type, words;
};

/// How messages of each type begin.
constexpr opening openings[] = {
    {"validation", "Input validation error: "},
    {"overloaded", "Model is overloaded: "},
    {"generation", "Request failed during generation: "},
};

/// Fields that have another name inside.
std::string outside(const std::string &field) {
  return field == "top_logprobs" ? "top_n_tokens" : field;
}

std::string error_object(const request_failure &failure) {
  const auto type = row_of(failure.code).tgi.type;
  std::string text;
  for (const auto &row : openings)
    if (row.type == type)
      text = row.words;
  if (!failure.field.empty())
    text += "`" + outside(failure.field) + "`: ";
  json::writer out;
  out.begin_object();
  out.key("error").string(text + failure.message);
  out.key("error_type").string(type);
  out.end_object();
  return out.text();
}

} // namespace

http_response tgi_refusal(const request_failure &failure) {
  http_response out;
  out.status = row_of(failure.code).tgi.status;
  out.body = error_object(failure);
  tell_retry(out, failure.code);
  return out;
}

std::string tgi_error_event(const request_failure &failure) {
  return stream_event(error_object(failure));
}

} // namespace ganglion::apps
