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
  /// `most_top`: alternatives that a row may ask for.
  row_sampler(std::size_t vocabulary, std::size_t rows, std::size_t most_top,
              int members, const neuron::kernel_set &kernels);

  /// Chooses or scores a token for the rows of `wanted` that have one.
  /// `logits` has a row for each of them; `slots` are indexed by their slots
  /// and left as they are; `token_ids` are those of all rows of the step.
  /// The choice for row i is `choices()[i]`, and depends on nothing but that
  /// row and the guesses before it.
  void choose(neuron::thread_team &team, std::span<const logit_request> wanted,
              std::span<const std::int32_t> token_ids,
              std::span<sampler_state> slots, const float *logits);
  std::span<const chosen_token> choices() const { return choices_; }
  /// The alternatives of row i.
  std::span<const token_score> top(std::size_t row) const {
    return std::span(top_).subspan(
        row * most_top_, static_cast<std::size_t>(choices_[row].top_count));
  }

private:
  struct step {
    std::span<const logit_request> wanted;
    std::span<const std::int32_t> token_ids;
    std::span<sampler_state> slots;
    const float *logits;
  };
  scanned_row row_of(const step &s, std::size_t row) const;
  chosen_token choice(const step &s, std::size_t row, sampler &with);
  void scan(const step &s, neuron::work_share share);
  void choose(const step &s, neuron::work_share share);

  std::size_t vocabulary_, most_top_;
  std::vector<sampler> samplers_; ///< one for each member
  std::vector<neuron::vocabulary_scan> scans_;
  std::vector<float> block_max_; ///< [rows, blocks]
  std::vector<chosen_token> choices_;
  std::vector<token_score> top_; ///< [rows, most_top]
};

} // namespace ganglion::runtime
