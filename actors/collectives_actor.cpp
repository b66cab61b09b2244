#include "actors/collectives_actor.hpp"

#include "actors/combiner.hpp"
#include "actors/message_communicator.hpp"
#include "hlo/support/log.hpp"
#include "neuron/collectives/lease_communicator.hpp"

#include <algorithm>

namespace ganglion::actors {

namespace {

/// About 20 us on the machines this was measured on (docs/performance.md).
constexpr int spins_with_own_core = 2000;

class collectives_state {
public:
  collectives_state(rt::event_actor *self, collectives_context context)
      : self_(self),
        context_(std::move(context)) {
    rt::on_down(self_, [this](const caf::actor_addr &source, bool failed,
                              const std::string &reason) {
      member_ended(source, failed, reason);
    });
  }

  void create(const create_group &m) {
    if (group_)
      group_->abort();
    epoch_ = m.epoch;
    members_.clear();
    if (context_.kind == runtime::collectives_kind::message) {
      by_message_ = std::make_shared<message_communicator>(
          self_->system(), rt::actor(self_), m.epoch, m.ranks,
          context_.surroundings.time, context_.surroundings.stall_limit);
      combiner_.emplace(m.ranks);
      waiting_.clear();
      group_ = by_message_;
    } else {
      neuron::wait_policy policy;
      policy.spins = m.spin ? spins_with_own_core : 0;
      policy.stall_limit = context_.surroundings.stall_limit;
      group_ = std::make_shared<neuron::lease_communicator>(
          m.ranks, m.capacity, policy, *context_.surroundings.time);
    }
    rt::send(self_, m.reply_to, group_created{m.epoch, group_});
  }

  void watch(const watch_shards &m) {
    if (m.epoch != epoch_)
      return;
    for (const auto &shard : m.shards) {
      self_->monitor(shard);
      members_.push_back(shard.address());
    }
  }

  void abort(const abort_group &m) {
    if (m.epoch == epoch_ && group_)
      give_up(neuron::collective_status::aborted);
  }

  void contribute(const contribution &m) {
    if (m.epoch != epoch_ || !combiner_) {
      rt::send(self_, m.reply_to,
               combined{m.tag.sequence, neuron::collective_status::aborted,
                        nullptr});
      return;
    }
    waiting_.push_back(m.reply_to);
    const auto done = combiner_->add(m.rank, m.tag, m.data);
    if (!done)
      return;
    if (done->status != neuron::collective_status::ok) {
      give_up(done->status);
      return;
    }
    count(m.tag);
    answer_all({m.tag.sequence, done->status, done->data});
  }

private:
  void count(const neuron::collective_tag &tag) {
    auto &counters = by_message_->counters();
    (tag.kind == neuron::collective_kind::all_reduce ? counters.all_reduces
                                                     : counters.all_gathers)
        .fetch_add(1, std::memory_order_relaxed);
    counters.floats.fetch_add(tag.count, std::memory_order_relaxed);
  }

  void answer_all(const combined &answer) {
    for (const auto &rank : waiting_)
      rt::send(self_, rank, answer);
    waiting_.clear();
  }

  void give_up(neuron::collective_status why) {
    answer_all({0, why, nullptr});
    group_->abort();
    combiner_.reset();
  }

  void member_ended(const caf::actor_addr &source, bool failed,
                    const std::string &reason) {
    if (std::find(members_.begin(), members_.end(), source) == members_.end())
      return;
    if (failed)
      log::warn("collectives: a rank ended ({}); aborting the group", reason);
    give_up(neuron::collective_status::aborted);
  }

  rt::event_actor *self_;
  collectives_context context_;
  std::uint64_t epoch_ = 0;
  std::shared_ptr<neuron::communicator> group_;
  std::shared_ptr<message_communicator> by_message_;
  std::optional<combiner> combiner_;
  std::vector<rt::actor> waiting_;
  std::vector<caf::actor_addr> members_;
};

caf::behavior collectives_actor(rt::event_actor *self,
                                collectives_context context) {
  rt::drop_unknown_messages(self);
  const auto state =
      std::make_shared<collectives_state>(self, std::move(context));
  return {
      [=](const create_group &m) { state->create(m); },
      [=](const watch_shards &m) { state->watch(m); },
      [=](const abort_group &m) { state->abort(m); },
      [=](const contribution &m) { state->contribute(m); },
  };
}

} // namespace

rt::actor spawn_collectives(rt::event_actor *parent,
                            collectives_context context) {
  return parent->spawn(collectives_actor, std::move(context));
}

} // namespace ganglion::actors
