// Chooses a token from one row of logits: processors, then the best or a draw
// from what the warpers leave; and tells log-probabilities.
#pragma once

#include "runtime/generation/sampler_state.hpp"
#include "runtime/generation/token_score.hpp"
#include "runtime/generation/weighted_row.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ganglion::runtime {

/// A token and its log-probability; how many alternatives were written. Token
/// 0 where there is none.
struct chosen_token {
  std::int32_t token = 0;
  float logprob = 0;
  std::int32_t top_count = 0;
  token_status status = token_status::ok;
};

/// A row of logits after all its parts were scanned.
struct scanned_row {
  std::span<const float> logits;
  std::span<const neuron::vocabulary_scan> parts;
  std::span<const float> block_max;
};

/// Scratch memory for one thread; nothing is allocated while sampling.
class sampler {
public:
  sampler(std::size_t vocabulary, const neuron::kernel_set &kernels);

  /// Parts that a row is scanned in, by as many threads.
  std::size_t parts() const { return parts_.size(); }
  /// Blocks of a row that have a maximum each.
  std::size_t blocks() const { return maxima_.size(); }
  /// Scans a part of `logits` [vocabulary] and writes its share of `block_max`
  /// [blocks]. Any thread may do any part.
  neuron::vocabulary_scan scan(std::span<const float> logits, std::size_t part,
                               std::span<float> block_max) const;
  /// Chooses from a scanned row. `position` is that of the chosen token and
  /// keys the random numbers. Ties go to the lowest id. Writes as many of the
  /// likeliest tokens as there are, and as `top` has room for.
  chosen_token choose(const scanned_row &row, const sampler_state &state,
                      std::int64_t position, std::span<token_score> top);
  /// The log-probability of a given token, and the likeliest ones.
  chosen_token score(const scanned_row &row, std::int32_t token,
                     std::span<token_score> top);

private:
  chosen_token beam_scores(const scanned_row &row, const sampler_state &state,
                           double log_sum, std::span<token_score> top);
  score_row processed(const scanned_row &row, const sampler_state &state,
                      token_status &status);
  weighing_scratch weighing();
  std::int32_t draw(const weighted_row &row, std::uint64_t key) const;
  scanned_row rescanned(std::span<const float> scores);
  std::span<const float> spread(const weighted_row &row);
  std::int32_t best(const score_row &row, double log_sum,
                    std::span<token_score> top);

  const neuron::kernel_set &kernels_;
  std::vector<float> scores_;          ///< after processors
  std::vector<float> drawn_, weights_; ///< of what is drawn from
  std::vector<std::int32_t> tokens_, places_;
  std::vector<scored_candidate> candidates_;
  std::vector<float> maxima_, score_maxima_;
  std::vector<neuron::vocabulary_scan> parts_;
  std::vector<std::uint64_t> allowed_; ///< by a grammar: a bit for each token
};

} // namespace ganglion::runtime
