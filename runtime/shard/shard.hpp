// One rank of a model: its core, what runs there, and the sampling state of
// its sequences. Runs step plans; the actor around it only moves messages.
#pragma once

#include "runtime/scheduling/step_plan.hpp"
#include "runtime/shard/draft_runner.hpp"
#include "runtime/shard/rank_runner.hpp"
#include "runtime/shard/row_sampler.hpp"

#include <memory>
#include <optional>

namespace ganglion::runtime {

/// What differs between the ranks of a group.
struct shard_options {
  std::int64_t rank = 0;
  int threads = 1;
  std::vector<int> cpus; ///< to pin to, or empty
  bool spin = true;      ///< every thread has a core of its own
};

/// Belongs to one thread, which becomes member 0 of its team.
class shard {
public:
  /// `draft`: a model that guesses tokens, if there is one. Throws
  /// `out_of_memory` and what `rank_weights` throws.
  shard(shared_model model, std::optional<shared_model> draft,
        shard_options options, const load_progress &progress);

  /// The communicator of the group; null for a group of one.
  void join(std::shared_ptr<neuron::communicator> group);

  /// Runs one step and samples. Does not throw for anything a plan may hold;
  /// plans come from the scheduler and are trusted to fit. All ranks return
  /// the same tokens.
  step_result step(const step_plan &plan);

  const neuron::core &device() const { return core_; }
  std::int64_t rank() const { return options_.rank; }

private:
  const model_plan &plan() const { return model_.model().plan; }
  std::int64_t most_requests() const;
  void apply_setups(const step_plan &plan);
  neuron::collective_status resolve_tokens(const step_plan &plan,
                                           neuron::run_times &times);
  neuron::collective_status sample(const step_plan &plan, const float *logits,
                                   step_result &result);
  void write_choices(std::int64_t count, std::int64_t width);
  void read_choices(const step_plan &plan, const float *choices,
                    std::int64_t width, step_result &result);

  shard_options options_;
  neuron::core core_;
  neuron::thread_team team_;
  rank_runner model_;
  std::optional<draft_runner> draft_;
  std::shared_ptr<neuron::communicator> group_;
  std::uint64_t sequence_ = 0; ///< of the group's collectives
  std::vector<sampler_state> slots_;
  row_sampler sampler_;
  std::vector<std::int32_t> token_ids_; ///< of the step's rows
  std::vector<float> my_choices_, all_choices_;
};

} // namespace ganglion::runtime
