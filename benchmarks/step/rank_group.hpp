// The ranks of a model without actors around them, each on a pinned thread: how
// long a step takes in itself.
#pragma once

#include "hlo/support/clock.hpp"
#include "runtime/shard/loaded_model.hpp"
#include "runtime/shard/shard.hpp"
#include "runtime/shard/thread_plan.hpp"

#include <memory>
#include <vector>

namespace ganglion::benchmarks {

/// One step, in nanoseconds. `whole` is from the common start of all ranks to
/// the end of the last one; the others are of the slowest rank.
struct step_time {
  double whole = 0;              ///< inputs, program and sampling
  double program = 0;            ///< kernels
  double collectives = 0;        ///< waiting and reducing, within `program`
  std::uint64_t allocations = 0; ///< of all ranks' threads
};

/// For use by one thread at a time, which is rank 0's while a step runs.
class rank_group {
public:
  /// Loads every rank's weights. Throws what loading throws.
  rank_group(std::shared_ptr<const runtime::loaded_model> model,
             std::int64_t threads);
  ~rank_group();

  /// Throws `internal` when the step fails.
  step_time step(const runtime::step_plan &plan);

  const runtime::loaded_model &model() const { return *model_; }
  /// Of all ranks together.
  int threads() const;
  std::string describe() const;

private:
  void load_rank(std::size_t rank);

  std::shared_ptr<const runtime::loaded_model> model_;
  runtime::thread_plan threads_;
  steady_clock time_;
  std::shared_ptr<neuron::communicator> group_;
  std::vector<std::unique_ptr<runtime::shard>> ranks_;
  std::unique_ptr<neuron::thread_team> team_; ///< a member per rank
};

} // namespace ganglion::benchmarks
