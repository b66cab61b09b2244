#include "actors/shard_group.hpp"

#include "actors/load_progress.hpp"
#include "actors/shard_actor.hpp"

namespace ganglion::actors {

void shard_group::build(
    const std::shared_ptr<const runtime::loaded_model> &model,
    const runtime::thread_plan &threads) {
  ++epoch_;
  const auto &plan = model->plan;
  ranks_missing_ = plan.tp_degree();
  const auto meter = std::make_shared<load_progress_meter>(
      context_.observer, "load weights",
      plan.weight_bytes * static_cast<std::size_t>(plan.tp_degree()));
  for (std::int64_t r = 0; r < plan.tp_degree(); ++r) {
    shard_context c;
    c.model = model;
    c.options.rank = r;
    c.options.threads = threads.threads_per_rank;
    c.options.cpus = threads.cpus_of(r);
    c.options.spin = threads.exclusive;
    c.surroundings = context_.surroundings;
    c.epoch = epoch_;
    c.progress = [meter](std::size_t bytes) { meter->add(bytes); };
    c.engine = rt::actor(engine_);
    c.board = context_.board;
    shards_.push_back(spawn_shard(engine_, std::move(c)));
  }
}

void shard_group::join(std::shared_ptr<neuron::communicator> communicator) {
  communicator_ = std::move(communicator);
  for (const auto &shard : shards_)
    rt::send(engine_, shard, join_group{communicator_});
}

void shard_group::dissolve() {
  for (const auto &shard : shards_)
    rt::stop(engine_, shard);
  shards_.clear();
  ++epoch_;
}

void shard_group::abort() {
  if (communicator_)
    communicator_->abort();
}

int shard_group::note_loss(std::uint64_t tokens) {
  losses_ = tokens == tokens_at_loss_ ? losses_ + 1 : 1;
  tokens_at_loss_ = tokens;
  return losses_;
}

} // namespace ganglion::actors
