// What runs a model's programs on one rank: weights, KV cache and inputs of
// its own, on a core and a team that it shares with whoever else runs there.
#pragma once

#include "neuron/core.hpp"
#include "neuron/cpu/thread_team.hpp"
#include "runtime/scheduling/step_plan.hpp"
#include "runtime/shard/rank_weights.hpp"
#include "runtime/sharding/kv_view.hpp"

#include <memory>

namespace ganglion::runtime {

/// A model as the ranks of a group share it.
struct shared_model {
  std::shared_ptr<const model_source> source;
  model_plan plan;
  std::shared_ptr<const compiled_steps> steps;
  std::shared_ptr<const shared_tables> tables;
  weight_loading loading = {};
};

/// Belongs to the thread that is member 0 of the team.
class rank_runner {
public:
  /// Accounts for the memory on `core` first, then allocates caches and takes
  /// the weights. Throws `out_of_memory` and what `rank_weights` throws.
  /// `members`: of the team that will run it.
  rank_runner(shared_model model, std::int64_t rank, int members,
              neuron::core &core, const load_progress &progress);

  /// Computes the rows of `plan` with `token_ids` as their tokens. `group`,
  /// null for a rank alone, runs the collectives, counted by `sequence`; adds
  /// to `times`. Allocates nothing.
  neuron::collective_status
  run(const step_plan &plan, std::span<const std::int32_t> token_ids,
      neuron::thread_team &team, neuron::communicator *group,
      std::uint64_t &sequence, neuron::run_times &times);
  /// [logit requests, vocabulary] of the last run.
  const float *logits() const;

  const shared_model &model() const { return model_; }
  std::int64_t vocabulary() const { return model_.source->spec().vocabulary; }
  const neuron::kernel_set &kernels() const {
    return neuron::kernels_for(model_.steps->buckets()[0].code->set);
  }

private:
  void bind_parameters(std::int64_t rank, int members);
  void bind_layers();
  void fill_inputs(const step_plan &plan,
                   std::span<const std::int32_t> token_ids);
  void fill_cache_inputs(const step_plan &plan);
  neuron::collective_status
  run(neuron::run_frame &frame, const neuron::program &code,
      neuron::thread_team &team, neuron::communicator *group,
      std::uint64_t &sequence, neuron::run_times &times);

  shared_model model_;
  kv_view view_;
  std::shared_ptr<const rank_weights> weights_;
  std::vector<aligned_buffer> caches_;
  std::vector<std::vector<std::int32_t>> inputs_;
  aligned_buffer arena_;
  aligned_buffer embedded_;         ///< rows of the embedding, and
  neuron::gather_args lookup_ = {}; ///< how they get there, if the host does it
  aligned_buffer stream_; ///< between the programs of a step, if it has several
  neuron::run_frame frame_;
  std::vector<neuron::run_frame> before_; ///< those that come before the last
  const compiled_steps::bucket *bucket_ = nullptr; ///< of the last run
};

} // namespace ganglion::runtime
