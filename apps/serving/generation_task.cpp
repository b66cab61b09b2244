#include "apps/serving/generation_task.hpp"

#include "hlo/support/log.hpp"

#include <algorithm>
#include <utility>

namespace ganglion::apps {

void generation_task::start(std::vector<generation_request> sequences,
                            const boost::asio::any_io_executor &executor) {
  channel_ = std::make_shared<event_channel>(
      executor, [self = shared_from_this()](auto events) {
        self->on_events(std::move(events));
      });
  reply_->on_abandoned([self = shared_from_this()] { self->abandon(); });
  running_ = sequences.size();
  for (auto &sequence : sequences) {
    sequence.client = reply_->client();
    ids_.push_back(engine_.submit(std::move(sequence), channel_));
  }
}

std::size_t generation_task::sequence_of(request_id id) const {
  return static_cast<std::size_t>(std::ranges::find(ids_, id) - ids_.begin());
}

void generation_task::on_events(std::vector<generation_event> events) {
  std::string bytes;
  for (auto &event : events) {
    if (event.finish == finish_reason::cancelled) {
      // Not by this client, which would have closed the channel.
      event.failed = true;
      event.code = error_code::cancelled;
      event.message = "the server is stopping";
    }
    record_.take(event);
    if (event.failed) {
      if (begun_)
        reply_->write(bytes);
      return fail(event);
    }
    if (answer_->streams() && (event.last() || !event.tokens.empty()))
      begin();
    running_ -= event.last() ? 1 : 0;
    const auto sequence = sequence_of(event.request);
    bytes += answer_->take(sequence, std::move(event));
    if (running_ == 0)
      return complete(bytes + answer_->finish());
  }
  if (begun_)
    reply_->write(bytes);
}

void generation_task::fail(const generation_event &event) {
  const request_failure failure{event.code, event.message, {}, event.field};
  log::info("{}: {}: {}", request_id_, to_string(event.code), event.message);
  cancel();
  record_.note_failure(event.code);
  if (begun_) {
    complete(answer_->broken_off(failure));
  } else {
    reply_->note(record_.members());
    reply_->send(answer_->refusal(failure));
    channel_->close();
  }
}

/// Headers wait for the first token: until then a status can still tell of a
/// failure.
void generation_task::begin() {
  if (!std::exchange(begun_, true))
    reply_->begin(answer_->head());
}

void generation_task::complete(std::string rest) {
  reply_->note(record_.members());
  if (begun_) {
    reply_->write(rest);
    reply_->end();
  } else {
    auto response = answer_->head();
    response.body = std::move(rest);
    reply_->send(std::move(response));
  }
  channel_->close();
}

void generation_task::cancel() {
  for (const auto id : ids_)
    engine_.cancel(id);
}

void generation_task::abandon() {
  log::info("{}: the client is gone; cancelled", request_id_);
  record_.note_cancelled();
  reply_->note(record_.members());
  channel_->close();
  cancel();
}

} // namespace ganglion::apps
