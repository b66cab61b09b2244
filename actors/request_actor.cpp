#include "actors/request_actor.hpp"

namespace ganglion::actors {

namespace {

class request_state {
public:
  request_state(rt::event_actor *self, submit_request submitted,
                std::shared_ptr<const request_context> context)
      : self_(self),
        submitted_(std::move(submitted)),
        context_(std::move(context)),
        logic_(submitted_, context_->model) {}

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
      queued_ = true;
      rt::send(self_, context_->scheduler,
               enqueue_sequences{submitted_.id, std::move(choices), self_});
    } catch (const error &e) {
      fail({e.code(), e.what(), e.field()});
    }
  }

  void progress(const sequence_progress &p) {
    if (auto text = logic_.follows_grammar(p))
      rt::send(self_, context_->tokenizer,
               follow_grammar{std::move(text), p.token->token});
    bool stopped = false;
    auto events = logic_.progress(p, stopped);
    if (stopped)
      rt::send(self_, context_->scheduler,
               forget_sequence{submitted_.id, p.choice});
    push(std::move(events));
  }

  void fail(const request_refused &why) {
    std::vector<generation_event> events;
    events.push_back(logic_.failure(why.code, why.message, why.field));
    push(std::move(events));
  }

  void cancel() {
    forget();
    push(logic_.cancelled());
  }

private:
  /// Pushes until the client wants no more; ends with the last event.
  void push(std::vector<generation_event> events) {
    for (auto &event : events) {
      const bool last = event.last();
      const bool wanted = submitted_.sink->push(std::move(event));
      if (last)
        return self_->quit();
      if (!wanted)
        return abandon();
    }
  }

  void abandon() {
    forget();
    for (auto &event : logic_.cancelled())
      submitted_.sink->push(std::move(event));
    self_->quit();
  }

  void forget() {
    if (queued_)
      rt::send(self_, context_->scheduler, forget_sequence{submitted_.id});
  }

  rt::event_actor *self_;
  submit_request submitted_;
  std::shared_ptr<const request_context> context_;
  request_logic logic_;
  bool queued_ = false;
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
