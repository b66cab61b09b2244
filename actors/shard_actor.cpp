#include "actors/shard_actor.hpp"

#include "hlo/support/log.hpp"
#include "neuron/cpu/thread_team.hpp"

namespace ganglion::actors {

namespace {

/// Asks the actor to load, on its own thread.
struct load_now {};

class shard_state {
public:
  shard_state(rt::event_actor *self, shard_context context)
      : self_(self),
        context_(std::move(context)) {
    context_.board->count_shards(1);
  }
  ~shard_state() {
    shard_.reset();
    context_.board->count_shards(-1);
  }
  shard_state(const shard_state &) = delete;
  shard_state &operator=(const shard_state &) = delete;

  void load() {
    try {
      const auto &m = *context_.model;
      shard_ = std::make_unique<runtime::shard>(m, m.draft, context_.options,
                                                context_.progress);
      // Not before: threads that loading starts would all stay on this CPU.
      if (!context_.options.cpus.empty())
        neuron::pin_to(context_.options.cpus[0]);
      publish();
      rt::send(self_, context_.engine,
               shard_ready{context_.options.rank, context_.epoch});
    } catch (const error &e) {
      report(std::make_shared<const error>(e));
    } catch (const std::bad_alloc &) {
      report(std::make_shared<const error>(
          error_code::out_of_memory, "the machine has no memory left",
          "core " + std::to_string(context_.options.rank)));
    }
  }

  void join(const join_group &m) { shard_->join(m.group); }

  void step(const run_step &m) {
    try {
      auto result = std::make_shared<runtime::step_result>(run(*m.plan));
      note(*result);
      rt::send(self_, m.reply_to,
               step_done{m.epoch, context_.options.rank, std::move(result)});
    } catch (const std::exception &e) {
      log::error("core {}: step {} failed: {}", context_.options.rank,
                 m.plan->id, e.what());
      rt::fail(self_, e.what());
    }
  }

private:
  runtime::step_result run(const runtime::step_plan &plan) {
    if (!context_.surroundings.before_step)
      return shard_->step(plan);
    runtime::step_plan changed = plan;
    context_.surroundings.before_step(context_.options.rank, changed);
    return shard_->step(changed);
  }

  void publish() {
    const auto &device = shard_->device();
    const core_status now{context_.options.rank, device.reserved(),
                          device.budget(), context_.options.threads, true};
    context_.board->update([&](engine_status &s, std::size_t &) {
      const auto rank = static_cast<std::size_t>(now.rank);
      s.cores.resize(std::max(s.cores.size(), rank + 1));
      s.cores[rank] = now;
    });
  }

  void note(const runtime::step_result &result) {
    const auto rank = static_cast<std::size_t>(context_.options.rank);
    if (rank >= engine_metrics::most_cores)
      return;
    auto &core = context_.board->metrics().cores[rank];
    core.steps.add();
    core.nanoseconds.add(static_cast<std::uint64_t>(result.nanoseconds));
    core.last_step_nanoseconds.set(
        static_cast<std::uint64_t>(result.nanoseconds));
    core.collective_nanoseconds.add(
        static_cast<std::uint64_t>(result.collective_nanoseconds));
    core.mailbox.set(rt::mailbox_depth(self_));
  }

  void report(std::shared_ptr<const error> why) {
    rt::send(self_, context_.engine,
             load_failed{std::move(why), context_.epoch});
    self_->quit();
  }

  rt::event_actor *self_;
  shard_context context_;
  std::unique_ptr<runtime::shard> shard_;
};

} // namespace

} // namespace ganglion::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(ganglion::actors::load_now)

namespace ganglion::actors {

namespace {

caf::behavior shard_actor(rt::event_actor *self, shard_context context) {
  rt::drop_unknown_messages(self);
  const auto state = std::make_shared<shard_state>(self, std::move(context));
  rt::send(self, self, load_now{});
  return {
      [=](const load_now &) { state->load(); },
      [=](const join_group &m) { state->join(m); },
      [=](const run_step &m) { state->step(m); },
  };
}

} // namespace

rt::actor spawn_shard(rt::event_actor *parent, shard_context context) {
  return parent->spawn<caf::detached>(shard_actor, std::move(context));
}

} // namespace ganglion::actors
