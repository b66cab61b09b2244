// A small model beside the large one, on the same rank: keeps up with its
// sequences and guesses their next tokens.
#pragma once

#include "runtime/shard/rank_runner.hpp"
#include "runtime/shard/row_sampler.hpp"

namespace ganglion::runtime {

/// Its caches have the blocks of the large model's, so one block table serves
/// both. It chooses with the sampling state of the large model's sequences and
/// the noise of their positions: the better it is, the more often both choose
/// alike. Positions that it did not compute (found in the prefix cache after a
/// sequence that it did not follow) make poor guesses, nothing else.
class draft_runner {
public:
  /// As `rank_runner`. A model with tp_degree 1 is whole on every rank of the
  /// group. Throws `out_of_memory` and what `rank_weights` throws.
  draft_runner(const shared_model &model, std::int64_t rank, int members,
               neuron::core &core, const load_progress &progress);

  /// Computes the rows of `plan` that it follows, and puts guesses in place of
  /// `guessed_here` into `token_ids`, which has all the others. `slots` are
  /// left as they are. All ranks guess alike.
  neuron::collective_status
  guess(const step_plan &plan, std::span<std::int32_t> token_ids,
        std::span<sampler_state> slots, neuron::thread_team &team,
        neuron::communicator *group, std::uint64_t &sequence,
        neuron::run_times &times);

private:
  void begin(const step_plan &plan, std::span<const std::int32_t> token_ids);
  bool begin_next(const step_plan &plan,
                  std::span<const std::int32_t> token_ids);
  void add_row(const step_plan &plan, std::span<const std::int32_t> token_ids,
               std::size_t row);
  void take_guesses(std::span<std::int32_t> token_ids,
                    std::span<sampler_state> slots);

  rank_runner model_;
  row_sampler sampler_;
  step_plan part_;                   ///< what is run: some rows of the plan
  std::vector<std::size_t> wanted_;  ///< rows of the plan to be guessed then
  std::vector<std::size_t> guessed_; ///< and those guessed before
};

} // namespace ganglion::runtime
