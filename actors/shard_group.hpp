// The ranks of one model that compute together, and how often they were lost.
#pragma once

#include "actors/engine_actor.hpp"
#include "runtime/shard/thread_plan.hpp"

namespace ganglion::actors {

/// Used by the engine's actor alone. A group that is rebuilt has a new epoch;
/// messages that name another one are of no interest.
class shard_group {
public:
  shard_group(rt::event_actor *engine, const engine_context &context)
      : engine_(engine),
        context_(context) {}

  /// Spawns every rank, which loads its weights.
  void build(const std::shared_ptr<const runtime::loaded_model> &model,
             const runtime::thread_plan &threads);

  bool is_current(std::uint64_t epoch) const { return epoch == epoch_; }
  /// Counts a rank that is ready; true for the last one of the group.
  bool note_ready() { return --ranks_missing_ == 0; }
  /// Hands every rank its end of the communicator.
  void join(std::shared_ptr<neuron::communicator> communicator);
  /// Stops the ranks; what they still say is of no interest.
  void dissolve();
  /// No rank waits in a collective any longer.
  void abort();

  /// Counts a loss; returns how many there were since a token was last made.
  int note_loss(std::uint64_t tokens);

  std::uint64_t epoch() const { return epoch_; }
  const std::vector<rt::actor> &shards() const { return shards_; }
  const std::shared_ptr<neuron::communicator> &communicator() const {
    return communicator_;
  }

private:
  rt::event_actor *engine_;
  const engine_context &context_;
  std::shared_ptr<neuron::communicator> communicator_;
  std::vector<rt::actor> shards_;
  std::uint64_t epoch_ = 0;
  std::int64_t ranks_missing_ = 0;
  int losses_ = 0;
  std::uint64_t tokens_at_loss_ = ~std::uint64_t{0};
};

} // namespace ganglion::actors
