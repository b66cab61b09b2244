#include "actors/engine_actor.hpp"

#include "actors/collectives_actor.hpp"
#include "actors/model_loader.hpp"
#include "actors/request_actor.hpp"
#include "actors/scheduler_actor.hpp"
#include "actors/scheduler_settings.hpp"
#include "actors/shard_group.hpp"
#include "actors/tokenizer_actor.hpp"
#include "hlo/support/log.hpp"

#include <cmath>
#include <map>

namespace ganglion::actors {

namespace {

class engine_logic {
public:
  engine_logic(rt::event_actor *self, engine_context context)
      : self_(self),
        context_(std::move(context)),
        group_(self_, context_) {
    rt::on_down(self_, [this](const caf::actor_addr &source, bool,
                              const std::string &) { child_ended(source); });
  }

  void start() {
    spawn_loader(self_, context_);
    if (context_.config.model.loading_timeout)
      watch_loading();
  }

  // --- loading and rebuilding ----------------------------------------------

  /// Looks at the clock now and then while the model loads.
  void watch_loading() {
    constexpr duration interval = std::chrono::milliseconds(100);
    if (failed_ || context_.board->read().state != engine_state::loading)
      return;
    const auto limit = *context_.config.model.loading_timeout;
    if (context_.surroundings.time->now() - started_ >= limit)
      return fail(error_code::timed_out,
                  "the model was not loaded within " +
                      std::to_string(std::llround(limit.count())) + " seconds",
                  "model_loading_timeout");
    rt::send_after(self_, interval, rt::actor(self_), timer_fired{});
  }

  void loaded(const model_loaded &m) {
    if (failed_) // it took too long
      return;
    model_ = m.model;
    context_.board->set_model(model_);
    const auto &plan = model_->plan;
    context_.board->update([&](engine_status &s, std::size_t &) {
      s.family = model_->source->spec().family;
      s.tp_degree = plan.tp_degree();
      s.n_positions = plan.n_positions;
      s.vocabulary = model_->source->spec().vocabulary;
      s.kv_blocks = s.free_kv_blocks = plan.blocks;
      s.programs = model_->steps->programs();
      s.compilations = model_->steps->compilations();
    });
    threads_ = runtime::plan_threads(
        plan.tp_degree(),
        runtime::threads_for(context_.config.graph.threads, plan.tp_degree(),
                             plan.weight_bytes),
        usable_cpus(), context_.config.graph.most_threads_per_rank);
    log::info("{} {}: {}", model_->source->spec().family, to_string(plan.type),
              threads_.describe(plan.tp_degree()));
    spawn_children();
    group_.build(model_, threads_);
  }

  void load_failure(const load_failed &m) {
    if (m.epoch != 0 && !group_.is_current(m.epoch))
      return;
    log::error("loading failed: {}", m.why->describe());
    fail(m.why->code(), m.why->describe(), m.why->field());
  }

  void rank_ready(const shard_ready &m) {
    if (!group_.is_current(m.epoch) || !group_.note_ready())
      return;
    const auto &plan = model_->plan;
    if (plan.tp_degree() == 1)
      return group_complete();
    rt::send(self_, collectives_,
             create_group{m.epoch, static_cast<int>(plan.tp_degree()),
                          static_cast<std::size_t>(
                              plan.chunk * model_->source->spec().hidden),
                          threads_.exclusive, rt::actor(self_)});
  }

  void group_formed(const group_created &m) {
    if (!group_.is_current(m.epoch))
      return;
    group_.join(m.group);
    rt::send(self_, collectives_, watch_shards{m.epoch, group_.shards()});
    group_complete();
  }

  void lost(const group_lost &m) {
    if (!group_.is_current(m.epoch))
      return;
    log::error("the group was lost: {}", m.reason);
    rt::send(self_, collectives_, abort_group{m.epoch});
    group_.dissolve();
    const int losses = group_.note_loss(context_.board->read().tokens);
    if (losses > context_.surroundings.restart_budget)
      return fail(error_code::unavailable,
                  "the group was lost " + std::to_string(losses) +
                      " times in a row: " + m.reason,
                  {});
    context_.board->update([](engine_status &s, std::size_t &) {
      s.state = engine_state::rebuilding;
      ++s.rebuilds;
      for (auto &core : s.cores)
        core.ready = false;
    });
    group_.build(model_, threads_);
  }

  // --- requests --------------------------------------------------------------

  void submit(submit_request &m) {
    try {
      check_open();
      runtime::validate(*m.request);
    } catch (const error &e) {
      context_.board->metrics()
          .rejected[static_cast<std::size_t>(e.code())]
          .add();
      refuse(m, e);
      return;
    }
    const request_id id = m.id;
    const auto actor = spawn_request(self_, std::move(m), requests_context_);
    requests_[id] = actor;
    ids_[actor.address()] = id;
    context_.board->update([](engine_status &s, std::size_t &active) {
      ++s.accepted;
      ++active;
    });
  }

  void cancel(const cancel_request &m) {
    const auto found = requests_.find(m.id);
    if (found != requests_.end())
      rt::send(self_, found->second, stop_request{});
  }

  void beat(const heartbeat &m) {
    if (scheduler_)
      rt::send(self_, scheduler_, m);
    else
      (*m.answer)();
  }

  void note_mailbox() {
    context_.board->metrics().engine_mailbox.set(rt::mailbox_depth(self_));
  }

  void drain() {
    draining_ = true;
    context_.board->update([](engine_status &s, std::size_t &) {
      if (s.state != engine_state::failed)
        s.state = engine_state::draining;
    });
  }

  void stop() {
    for (const auto &[id, actor] : requests_)
      rt::send(self_, actor, stop_request{});
    group_.abort();
    group_.dissolve();
    for (const auto &child : {tokenizer_, scheduler_, collectives_})
      if (child)
        rt::stop(self_, child);
    requests_context_.reset();
    context_.board->set_group(nullptr);
    context_.board->set_model(nullptr);
    context_.board->update([](engine_status &s, std::size_t &) {
      s.state = engine_state::stopped;
    });
    self_->quit();
  }

private:
  std::vector<int> usable_cpus() const {
    const auto &graph = context_.config.graph;
    return runtime::cpus_of_cores(
        graph.visible_cores,
        runtime::cores_of(neuron::profile_of(graph.instance)),
        neuron::allowed_cpus());
  }

  void spawn_children() {
    tokenizer_ = spawn_tokenizer(self_, model_->tokens,
                                 model_->source->spec().vocabulary);
    collectives_ = spawn_collectives(
        self_, {context_.config.graph.collectives, context_.surroundings});
    scheduler_ = spawn_scheduler(
        self_, {limits_of(*model_, context_.config, context_.surroundings),
                context_.surroundings, context_.board, rt::actor(self_)});
    requests_context_ = std::make_shared<const request_context>(request_context{
        model_, context_.config.scheduling, context_.surroundings, tokenizer_,
        scheduler_, context_.board});
  }

  void group_complete() {
    rt::send(self_, scheduler_, use_group{group_.epoch(), group_.shards()});
    context_.board->update([&](engine_status &s, std::size_t &) {
      s.state = draining_ ? engine_state::draining : engine_state::ready;
    });
    context_.board->set_group(group_.communicator());
    log::info("ready");
  }

  void fail(error_code code, const std::string &message,
            const std::string &field) {
    group_.dissolve();
    failed_ = true;
    if (scheduler_)
      rt::send(self_, scheduler_, fail_all{code, message});
    context_.board->update([&](engine_status &s, std::size_t &) {
      s.state = engine_state::failed;
      s.code = code;
      s.message = message;
      s.field = field;
    });
  }

  void check_open() const {
    if (failed_)
      throw error(error_code::unavailable,
                  "the engine failed: " + context_.board->read().message);
    if (draining_)
      throw error(error_code::unavailable,
                  "the engine is draining and takes no new requests");
    if (!requests_context_)
      throw error(error_code::unavailable, "the model is still loading");
    const auto &c = context_.config.scheduling;
    const auto most =
        static_cast<std::size_t>(c.job_queue_size + c.max_rolling_batch_size);
    if (requests_.size() >= most)
      throw error(error_code::overloaded,
                  std::to_string(most) +
                      " requests are queued or running already; try later",
                  {}, "job_queue_size");
  }

  static void refuse(const submit_request &m, const error &e) {
    generation_event event;
    event.request = m.id;
    event.failed = true;
    event.code = e.code();
    event.message = e.what();
    event.field = e.field();
    m.sink->push(std::move(event));
  }

  void child_ended(const caf::actor_addr &source) {
    const auto found = ids_.find(source);
    if (found == ids_.end())
      return;
    requests_.erase(found->second);
    ids_.erase(found);
    context_.board->update(
        [](engine_status &, std::size_t &active) { --active; });
  }

  rt::event_actor *self_;
  engine_context context_;
  shard_group group_;
  const time_point started_ = context_.surroundings.time->now();
  std::shared_ptr<const runtime::loaded_model> model_;
  runtime::thread_plan threads_;
  rt::actor tokenizer_, scheduler_, collectives_;
  std::shared_ptr<const request_context> requests_context_;
  bool draining_ = false, failed_ = false;
  std::map<request_id, rt::actor> requests_;
  std::map<caf::actor_addr, request_id> ids_;
};

caf::behavior engine_actor(rt::event_actor *self, engine_context context) {
  rt::drop_unknown_messages(self);
  const auto state = std::make_shared<engine_logic>(self, std::move(context));
  state->start();
  return {
      [=](const model_loaded &m) { state->loaded(m); },
      [=](const load_failed &m) { state->load_failure(m); },
      [=](const shard_ready &m) { state->rank_ready(m); },
      [=](const group_created &m) { state->group_formed(m); },
      [=](const group_lost &m) { state->lost(m); },
      [=](submit_request &m) {
        state->submit(m);
        state->note_mailbox();
      },
      [=](const cancel_request &m) { state->cancel(m); },
      [=](const timer_fired &) { state->watch_loading(); },
      [=](const begin_drain &) { state->drain(); },
      [=](const stop_engine &) { state->stop(); },
      [=](const heartbeat &m) {
        state->beat(m);
        state->note_mailbox();
      },
  };
}

} // namespace

rt::actor spawn_engine(rt::actor_system &system, engine_context context) {
  log::keep_off_stdout();
  return system.spawn(engine_actor, std::move(context));
}

} // namespace ganglion::actors
