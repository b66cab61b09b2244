#include "actors/request_actor.hpp"

#include "actors/request_timer.hpp"

namespace ganglion::actors {

namespace {

class request_state {
public:
  request_state(rt::event_actor *self, submit_request submitted,
                std::shared_ptr<const request_context> context)
      : self_(self),
        submitted_(std::move(submitted)),
        context_(std::move(context)),
        logic_(submitted_, context_->model),
        timer_(submitted_.arrived, context_->board->metrics()) {}
  ~request_state() {
    if (!ended_) // without a last event
      context_->board->note_end(request_end::failed);
  }
  request_state(const request_state &) = delete;
  request_state &operator=(const request_state &) = delete;

  void start() {
    const auto &request = *submitted_.request;
    if (!request.prompt_ids.empty() && !request.structured_outputs)
      enqueue({request.prompt_ids, nullptr});
    else
      rt::send(self_, context_->tokenizer,
               encode_prompt{submitted_.request, self_});
  }

  void enqueue(prompt_encoded prompt) {
    try {
      auto choices = logic_.accept(std::move(prompt), context_->config,
                                   context_->surroundings.time->now(),
                                   context_->surroundings.draw_seed);
      context_->board->metrics().prompt_tokens.add(
          choices->front().prompt.size());
      queue(std::move(choices));
    } catch (const error &e) {
      fail({e.code(), e.what(), e.field()});
    }
  }

  void progress(const sequence_progress &p) {
    timer_.note(p);
    if (auto text = logic_.follows_grammar(p))
      rt::send(self_, context_->tokenizer,
               follow_grammar{std::move(text), p.token->token});
    auto next = logic_.progress(p);
    if (next.stopped)
      rt::send(self_, context_->scheduler,
               forget_sequence{submitted_.id, p.choice});
    if (next.more)
      queue(std::move(next.more));
    push(std::move(next.events), p.at);
  }

  void fail(const request_refused &why) {
    std::vector<generation_event> events;
    events.push_back(logic_.failure(why.code, why.message, why.field));
    push(std::move(events), now());
  }

  void cancel() {
    forget();
    push(logic_.cancelled(), now());
  }

private:
  void queue(std::shared_ptr<std::vector<runtime::sequence_request>> choices) {
    queued_ = true;
    for (auto &choice : *choices)
      choice.arrived = submitted_.arrived;
    rt::send(self_, context_->scheduler,
             enqueue_sequences{submitted_.id, std::move(choices), self_});
  }

  /// Pushes until the client wants no more; ends with the last event.
  void push(std::vector<generation_event> events, time_point at) {
    for (auto &event : events) {
      const bool last = event.last();
      note(event, at);
      const bool wanted = submitted_.sink->push(std::move(event));
      if (last)
        return self_->quit();
      if (!wanted)
        return abandon();
    }
  }

  void abandon() {
    forget();
    for (auto &event : logic_.cancelled()) {
      note(event, now());
      submitted_.sink->push(std::move(event));
    }
    self_->quit();
  }

  /// Before the event is told: what a client has seen is counted.
  void note(generation_event &event, time_point at) {
    if (event.failed || event.ends_choice())
      event.timing = timer_.timing(at);
    if (!event.last() || std::exchange(ended_, true))
      return;
    // Ends have the order of reasons, without `none`.
    const auto end =
        event.failed
            ? request_end::failed
            : static_cast<request_end>(static_cast<int>(event.finish) - 1);
    if (end != request_end::failed)
      timer_.note_end(at);
    context_->board->note_end(end);
  }

  time_point now() const { return context_->surroundings.time->now(); }

  void forget() {
    if (queued_)
      rt::send(self_, context_->scheduler, forget_sequence{submitted_.id});
  }

  rt::event_actor *self_;
  submit_request submitted_;
  std::shared_ptr<const request_context> context_;
  request_logic logic_;
  request_timer timer_;
  bool queued_ = false, ended_ = false;
};

caf::behavior request_actor(rt::event_actor *self, submit_request submitted,
                            std::shared_ptr<const request_context> context) {
  rt::drop_unknown_messages(self);
  const auto state = std::make_shared<request_state>(self, std::move(submitted),
                                                     std::move(context));
  state->start();
  return {
      [=](prompt_encoded &m) { state->enqueue(std::move(m)); },
      [=](const request_refused &m) { state->fail(m); },
      [=](const sequence_progress &m) { state->progress(m); },
      [=](const stop_request &) { state->cancel(); },
  };
}

} // namespace

rt::actor spawn_request(rt::event_actor *parent, submit_request submitted,
                        std::shared_ptr<const request_context> context) {
  return parent->spawn<caf::monitored>(request_actor, std::move(submitted),
                                       std::move(context));
}

} // namespace ganglion::actors
