#include "apps/lmi/invocation_task.hpp"

#include "hlo/support/log.hpp"

#include <algorithm>

namespace ganglion::apps {

namespace {

constexpr std::size_t most_listed = 32; ///< names in the header

std::string listed(const std::vector<std::string> &names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most_listed); ++i)
    out += (i == 0 ? "" : ", ") + header_token(names[i].substr(0, 64));
  return names.size() > most_listed ? out + ", ..." : out;
}

} // namespace

void invocation_task::start(const boost::asio::any_io_executor &executor) {
  if (!call_.ignored.empty())
    log::warn("{}: ignored parameters: {}", request_id_, listed(call_.ignored));
  channel_ = std::make_shared<event_channel>(
      executor, [self = shared_from_this()](auto events) {
        self->on_events(std::move(events));
      });
  reply_->on_abandoned([self = shared_from_this()] { self->abandon(); });
  id_ = engine_.submit(call_.request, channel_);
}

void invocation_task::on_events(std::vector<generation_event> events) {
  std::string lines;
  for (auto &event : events) {
    if (event.finish == finish_reason::cancelled) {
      // Not by this client, which would have closed the channel.
      event.failed = true;
      event.code = error_code::cancelled;
      event.message = "the server is stopping";
    }
    if (event.failed) {
      if (begun_)
        reply_->write(lines);
      return fail(event);
    }
    if (call_.stream && (event.last() || !event.tokens.empty()))
      begin();
    lines += event.last() ? finish(event) : take(event);
    if (event.last())
      return complete(std::move(lines));
  }
  if (begun_)
    reply_->write(lines);
}

/// Notes the tokens of an event; returns their lines of a stream.
std::string invocation_task::take(generation_event &event) {
  std::string lines;
  if (!event.prompt.empty())
    result_.prompt = std::move(event.prompt);
  for (auto &token : event.tokens) {
    result_.text += token.text;
    if (call_.stream)
      lines += token_line(call_, token);
    else if (call_.details)
      result_.tokens.push_back(std::move(token));
  }
  return lines;
}

/// The last event: its last token's line, or the whole answer.
std::string invocation_task::finish(generation_event &event) {
  result_.finish = event.finish;
  result_.generated_tokens = event.generated_tokens;
  if (event.tokens.empty())
    result_.text += event.text;
  else
    event.tokens.back().text += event.text;
  if (!call_.stream) {
    take(event);
    return whole_answer(call_, result_);
  }
  if (event.tokens.empty())
    return last_line(call_, result_, nullptr);
  const auto last = std::move(event.tokens.back());
  event.tokens.pop_back();
  auto lines = take(event);
  result_.text += last.text;
  return lines + last_line(call_, result_, &last);
}

void invocation_task::fail(const generation_event &event) {
  const request_failure failure{event.code, event.message, {}, event.field};
  log::info("{}: {}: {}", request_id_, to_string(event.code), event.message);
  if (begun_) {
    complete(failure_line(failure));
  } else {
    auto response = failure_response(failure, model_);
    response.headers = head().headers;
    reply_->send(std::move(response));
    channel_->close();
  }
}

http_response invocation_task::head() const {
  http_response out;
  out.headers.push_back({"requestId", request_id_});
  if (!call_.ignored.empty())
    out.headers.push_back(
        {"X-Ganglion-Ignored-Parameters", listed(call_.ignored)});
  return out;
}

/// Headers wait for the first token: until then a status can still tell of a
/// failure.
void invocation_task::begin() {
  if (std::exchange(begun_, true))
    return;
  auto response = head();
  response.content_type = "application/jsonlines";
  reply_->begin(std::move(response));
}

void invocation_task::complete(std::string rest) {
  if (begun_) {
    reply_->write(rest);
    reply_->end();
  } else {
    auto response = head();
    response.body = std::move(rest);
    reply_->send(std::move(response));
  }
  channel_->close();
}

void invocation_task::abandon() {
  log::info("{}: the client is gone; cancelled", request_id_);
  channel_->close();
  engine_.cancel(id_);
}

} // namespace ganglion::apps
