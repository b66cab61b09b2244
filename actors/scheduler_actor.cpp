#include "actors/scheduler_actor.hpp"

#include "actors/scheduler_logic.hpp"

#include <map>
#include <variant>

namespace ganglion::actors {

namespace {

class scheduler_state final : public scheduler_outbox {
public:
  scheduler_state(rt::event_actor *self, scheduler_context context)
      : self_(self),
        context_(std::move(context)),
        logic_(context_.limits, *context_.surroundings.time,
               context_.surroundings.stall_limit, *this) {
    rt::on_down(self_, [this](const caf::actor_addr &source, bool,
                              const std::string &reason) {
      for (const auto &shard : shards_)
        if (shard.address() == source)
          return settle([&] { logic_.lose_group("a rank ended: " + reason); });
    });
  }

  void enqueue(const enqueue_sequences &m) {
    owners_[m.id] = {m.owner, m.choices->size()};
    settle([&] {
      for (auto &choice : *m.choices)
        logic_.enqueue(std::move(choice));
    });
  }

  void forget(const forget_sequence &m) {
    settle([&] {
      const bool known = logic_.forget(m.id, m.choice);
      const auto owner = owners_.find(m.id);
      if (owner == owners_.end())
        return;
      // A choice may have ended by itself meanwhile.
      if (!m.choice)
        owners_.erase(owner);
      else if (known)
        drop(owner);
    });
  }

  void use(const use_group &m) {
    epoch_ = m.epoch;
    shards_ = m.shards;
    for (const auto &shard : shards_)
      self_->monitor(shard);
    settle(
        [&] { logic_.use_group(static_cast<std::int64_t>(shards_.size())); });
  }

  void done(const step_done &m) {
    if (m.epoch == epoch_)
      settle([&] { logic_.take_result(m.rank, m.result); });
  }

  void fail(const fail_all &m) {
    settle([&] { logic_.fail_all(m.code, m.message); });
  }

  void tick(const timer_fired &m) {
    if (m.generation != timer_generation_)
      return;
    armed_.reset();
    settle([&] { logic_.look_at_clock(); });
  }

  void beat(const heartbeat &m) { (*m.answer)(); }

  // --- scheduler_outbox ---------------------------------------------------

  void
  send_plan(const std::shared_ptr<const runtime::step_plan> &plan) override {
    for (const auto &shard : shards_)
      rt::send(self_, shard, run_step{epoch_, plan, rt::actor(self_)});
  }

  void send_event(const runtime::sequence_event &event) override {
    const auto owner = owners_.find(event.id.request);
    if (owner == owners_.end())
      return;
    news_.emplace_back(
        owner->second.actor,
        sequence_progress{event.id.choice,
                          event.token,
                          event.prompt_token,
                          {event.top.begin(), event.top.end()},
                          event.finish,
                          {event.logits.begin(), event.logits.end()},
                          event.cached_tokens,
                          event.guesses,
                          event.queued,
                          event.at});
    if (event.finish != finish_reason::none)
      drop(owner);
  }

  void send_failure(request_id id, error_code code,
                    const std::string &message) override {
    const auto owner = owners_.find(id);
    if (owner == owners_.end())
      return;
    news_.emplace_back(owner->second.actor, request_refused{code, message, {}});
    owners_.erase(owner);
  }

  void note_step(runtime::step_phase phase, std::size_t rows,
                 const runtime::step_result &result) override {
    auto &metrics = context_.board->metrics();
    const auto i = static_cast<std::size_t>(phase);
    metrics.step_time[i].observe(std::chrono::nanoseconds(result.nanoseconds));
    metrics.step_rows[i].add(rows);
  }

  void report_loss(const std::string &reason) override {
    shards_.clear();
    rt::send(self_, context_.engine, group_lost{epoch_, reason});
  }

private:
  struct owner_of_choices {
    rt::actor actor;
    std::size_t open = 0; ///< choices that have not ended
  };
  using owner_place = std::map<request_id, owner_of_choices>::iterator;

  /// One choice less.
  void drop(owner_place owner) {
    if (--owner->second.open == 0)
      owners_.erase(owner);
  }

  /// Runs `change`, then arms the timer and publishes the new state. Requests
  /// hear their news last: whoever sees a token sees it counted, and the
  /// shards have their next plan before.
  template <class F>
  void settle(F change) {
    change();
    arm_timer();
    publish();
    for (auto &[to, what] : news_)
      std::visit(
          [&](auto &message) { rt::send(self_, to, std::move(message)); },
          what);
    news_.clear();
  }

  void arm_timer() {
    const auto next = logic_.next_wake();
    // A timer that fires too early only looks and arms another.
    if (!next || (armed_ && *armed_ <= *next))
      return;
    // Delayed messages cannot be taken back and hold up the end of the system.
    constexpr duration longest = std::chrono::milliseconds(250);
    constexpr duration shortest = std::chrono::milliseconds(1);
    const duration wait = std::clamp(*next - context_.surroundings.time->now(),
                                     shortest, longest);
    armed_ = *next;
    rt::send_after(self_, wait, rt::actor(self_),
                   timer_fired{++timer_generation_});
  }

  void publish() {
    const auto &s = logic_.scheduling();
    context_.board->metrics().scheduler_mailbox.set(rt::mailbox_depth(self_));
    context_.board->update([&](engine_status &status, std::size_t &) {
      status.running = s.running();
      status.waiting = s.waiting();
      status.running_requests = s.running_requests();
      status.waiting_since = s.waiting_since();
      status.step_since = logic_.step_since();
      status.free_kv_blocks = s.free_blocks();
      status.steps = s.counters().steps;
      status.step_seconds =
          static_cast<double>(s.counters().nanoseconds) * 1e-9;
      status.tokens = s.counters().tokens;
      status.preemptions = s.counters().preemptions;
      status.admitted_positions = s.counters().admitted_positions;
      status.cached_positions = s.counters().cached_positions;
      status.guesses = s.counters().guesses;
    });
  }

  rt::event_actor *self_;
  scheduler_context context_;
  scheduler_logic logic_;
  std::uint64_t epoch_ = 0;
  std::vector<rt::actor> shards_;
  std::map<request_id, owner_of_choices> owners_;
  using news = std::variant<sequence_progress, request_refused>;
  std::vector<std::pair<rt::actor, news>> news_; ///< for requests
  std::uint64_t timer_generation_ = 0;
  std::optional<time_point> armed_;
};

caf::behavior scheduler_actor(rt::event_actor *self,
                              scheduler_context context) {
  rt::drop_unknown_messages(self);
  const auto state =
      std::make_shared<scheduler_state>(self, std::move(context));
  return {
      [=](const enqueue_sequences &m) { state->enqueue(m); },
      [=](const forget_sequence &m) { state->forget(m); },
      [=](const use_group &m) { state->use(m); },
      [=](const step_done &m) { state->done(m); },
      [=](const fail_all &m) { state->fail(m); },
      [=](const timer_fired &m) { state->tick(m); },
      [=](const heartbeat &m) { state->beat(m); },
  };
}

} // namespace

rt::actor spawn_scheduler(rt::event_actor *parent, scheduler_context context) {
  return parent->spawn(scheduler_actor, std::move(context));
}

} // namespace ganglion::actors
