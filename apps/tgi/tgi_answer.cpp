#include "apps/tgi/tgi_answer.hpp"

#include "apps/serving/event_stream.hpp"
#include "apps/serving/ignored_names.hpp"
#include "apps/serving/timing_text.hpp"

namespace ganglion::apps {

http_response tgi_answer::head() const {
  http_response out;
  if (call_.stream)
    out.content_type = event_stream_type;
  else
    add_timings(out);
  tell_ignored(out, call_.ignored);
  return out;
}

/// TGI's own headers, in whole milliseconds.
void tgi_answer::add_timings(http_response &response) const {
  runtime::request_timing timing;
  std::int64_t generated = 0;
  for (const auto &result : results()) {
    timing = longest(timing, result.timing);
    generated += result.generated_tokens;
  }
  const auto add = [&](const char *name, std::int64_t value) {
    response.headers.push_back({name, std::to_string(value)});
  };
  const auto whole = [](duration time) {
    return static_cast<std::int64_t>(milliseconds(time));
  };
  const auto inference = timing.total - timing.queued;
  response.headers.push_back({"x-compute-type", "cpu"});
  add("x-prompt-tokens", results()[0].prompt_tokens);
  add("x-generated-tokens", generated);
  add("x-total-time", whole(timing.total));
  add("x-queue-time", whole(timing.queued));
  add("x-inference-time", whole(inference));
  if (generated > 0)
    add("x-time-per-token", whole(inference / generated));
}

http_response tgi_answer::refusal(const request_failure &failure) const {
  auto out = tgi_refusal(failure);
  tell_ignored(out, call_.ignored);
  return out;
}

std::string tgi_answer::piece(const generation_result &result,
                              const runtime::generated_token &token) const {
  return stream_event(tgi_token_text(call_, result.generated_tokens, token));
}

std::string
tgi_answer::last_piece(const generation_result &result,
                       const runtime::generated_token *token) const {
  return stream_event(tgi_last_text(call_, result, token));
}

std::string
tgi_answer::whole(std::span<const generation_result> results) const {
  auto text = tgi_answer_text(call_, results);
  return call_.route == tgi_route::root ? "[" + std::move(text) + "]" : text;
}

} // namespace ganglion::apps
