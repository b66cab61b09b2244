#include "apps/lmi/lmi_answer.hpp"

#include "apps/serving/ignored_names.hpp"

namespace ganglion::apps {

using runtime::generation_event;

std::string lmi_answer::take(std::size_t, generation_event event) {
  if (!event.prompt.empty())
    result_.prompt = std::move(event.prompt);
  if (!event.last())
    return take_tokens(event);
  result_.finish = event.finish;
  result_.generated_tokens = event.generated_tokens;
  if (event.tokens.empty())
    result_.text += event.text;
  else
    event.tokens.back().text += event.text;
  return call_.stream ? take_last(event) : take_tokens(event);
}

/// Notes the tokens of an event; returns their lines of a stream.
std::string lmi_answer::take_tokens(generation_event &event) {
  std::string lines;
  for (auto &token : event.tokens) {
    result_.text += token.text;
    if (call_.stream)
      lines += token_line(call_, token);
    else if (call_.details)
      result_.tokens.push_back(std::move(token));
  }
  return lines;
}

/// The lines of the last event, whose last one also has the whole text.
std::string lmi_answer::take_last(generation_event &event) {
  if (event.tokens.empty())
    return last_line(call_, result_, nullptr);
  const auto last = std::move(event.tokens.back());
  event.tokens.pop_back();
  auto lines = take_tokens(event);
  result_.text += last.text;
  return lines + last_line(call_, result_, &last);
}

std::string lmi_answer::finish() {
  return call_.stream ? std::string() : whole_answer(call_, result_);
}

void lmi_answer::add_headers(http_response &response) const {
  response.headers.push_back({"requestId", request_id_});
  tell_ignored(response, call_.ignored);
}

http_response lmi_answer::head() const {
  http_response out;
  add_headers(out);
  if (call_.stream)
    out.content_type = "application/jsonlines";
  return out;
}

http_response lmi_answer::refusal(const request_failure &failure) const {
  auto out = failure_response(failure, model_);
  add_headers(out);
  return out;
}

} // namespace ganglion::apps
