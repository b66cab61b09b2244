#include "apps/tgi/tgi_answer.hpp"

#include "apps/serving/event_stream.hpp"
#include "apps/serving/ignored_names.hpp"

namespace ganglion::apps {

http_response tgi_answer::head() const {
  http_response out;
  if (call_.stream)
    out.content_type = event_stream_type;
  tell_ignored(out, call_.ignored);
  return out;
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
