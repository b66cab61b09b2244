// Chooses tokens for many rows of logits with all threads of a rank.
#pragma once

#include "neuron/cpu/thread_team.hpp"
#include "runtime/generation/sampler.hpp"
#include "runtime/scheduling/step_plan.hpp"

#include <span>
#include <vector>

namespace ganglion::runtime {

/// Scratch memory for the largest step; nothing is allocated while sampling.
class row_sampler {
public:
  row_sampler(std::size_t vocabulary, std::size_t rows, int members,
              const neuron::kernel_set &kernels);

  /// Chooses for the rows of `wanted` that are sampled. `logits` has a row for
  /// each of them, and is overwritten; `slots` are indexed by their slots.
  /// The choice for row i is `choices()[i]`, and depends on nothing but that
  /// row.
  void choose(neuron::thread_team &team, std::span<const logit_request> wanted,
              std::span<const sampler_state> slots, float *logits);
  std::span<const chosen_token> choices() const { return choices_; }

private:
  struct step {
    std::span<const logit_request> wanted;
    std::span<const sampler_state> slots;
    float *logits;
  };
  std::span<float> row_of(const step &s, std::size_t row) const;
  void scan(const step &s, neuron::work_share share);
  void choose(const step &s, neuron::work_share share);

  std::size_t vocabulary_;
  std::vector<sampler> samplers_; ///< one for each member
  std::vector<neuron::vocabulary_scan> scans_;
  std::vector<chosen_token> choices_;
};

} // namespace ganglion::runtime
