// One rank of a model: its core, weights, KV cache, programs and sampling
// state. Runs step plans; the actor around it only moves messages.
#pragma once

#include "neuron/core.hpp"
#include "neuron/kernels/kernels.hpp"
#include "runtime/scheduling/step_plan.hpp"
#include "runtime/shard/rank_weights.hpp"
#include "runtime/shard/row_sampler.hpp"
#include "runtime/sharding/kv_view.hpp"

#include <memory>

namespace ganglion::runtime {

/// What differs between the ranks of a group.
struct shard_options {
  std::int64_t rank = 0;
  int threads = 1;
  std::vector<int> cpus; ///< to pin to, or empty
  bool spin = true;      ///< every thread has a core of its own
  weight_loading loading = {};
};

/// Belongs to one thread, which becomes member 0 of its team.
class shard {
public:
  /// Accounts for the memory first, then allocates caches and takes the
  /// weights. Throws `out_of_memory` and what `rank_weights` throws.
  shard(std::shared_ptr<const model_source> model, const model_plan &plan,
        std::shared_ptr<const compiled_steps> steps,
        std::shared_ptr<const shared_tables> tables, shard_options options,
        const load_progress &progress);

  /// The communicator of the group; null for a group of one.
  void join(std::shared_ptr<neuron::communicator> group);

  /// Runs one step and samples. Does not throw for anything a plan may hold;
  /// plans come from the scheduler and are trusted to fit. All ranks return
  /// the same tokens.
  step_result step(const step_plan &plan);

  const neuron::core &device() const { return core_; }
  std::int64_t rank() const { return options_.rank; }

private:
  void bind_parameters();
  void bind_layers();
  neuron::collective_status run(const compiled_steps::bucket &b,
                                neuron::run_times &times);
  void apply_setups(const step_plan &plan);
  void fill_inputs(const step_plan &plan, const compiled_steps::bucket &b);
  void fill_cache_inputs(const step_plan &plan,
                         const compiled_steps::bucket &b);
  neuron::collective_status sample(const step_plan &plan, const float *logits,
                                   step_result &result);
  void write_choices(std::int64_t count, std::int64_t width);
  void read_choices(const step_plan &plan, const float *choices,
                    std::int64_t width, step_result &result);

  std::shared_ptr<const model_source> model_;
  model_plan plan_;
  std::shared_ptr<const compiled_steps> steps_;
  shard_options options_;
  neuron::core core_;
  neuron::thread_team team_;
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
  std::shared_ptr<neuron::communicator> group_;
  std::vector<sampler_state> slots_;
  row_sampler sampler_;
  std::vector<float> my_choices_, all_choices_;
};

} // namespace ganglion::runtime
