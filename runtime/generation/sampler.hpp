// Chooses a token from one row of logits, in HuggingFace's order: repetition
// penalty, temperature, top-k, top-p, draw; and tells log-probabilities.
#pragma once

#include "runtime/generation/sampling_parameters.hpp"
#include "runtime/generation/score_row.hpp"
#include "runtime/generation/token_score.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ganglion::runtime {

/// A token and its log-probability; how many alternatives were written.
struct chosen_token {
  std::int32_t token = 0;
  float logprob = 0;
  std::int32_t top_count = 0;
};

/// What sampling remembers of a sequence, beside the shard.
struct sampler_state {
  sampling_parameters parameters;
  /// Log-probs after processors and warpers are wanted, not the model's.
  bool processed_logprobs = false;
  /// One flag per vocabulary entry: it occurs in prompt or output. Empty when
  /// no penalty needs it.
  std::vector<std::uint8_t> seen;
  std::int32_t last_token = 0;

  /// Starts a sequence whose tokens so far are `history`.
  void begin(const sampling_parameters &p,
             std::span<const std::int32_t> history, std::size_t vocabulary);
  /// Records a chosen token.
  void append(std::int32_t token);
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
  std::size_t parts() const;
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
  /// The row's scores with penalties applied, in scratch memory unless there
  /// are none.
  score_row processed(const scanned_row &row, const sampler_state &state);
  std::span<scored_candidate> kept(std::span<const float> scores,
                                   const sampling_parameters &p);
  std::span<scored_candidate> nucleus(std::span<scored_candidate> from,
                                      float top_p);
  std::int32_t draw(std::span<const scored_candidate> from,
                    const sampling_parameters &p, std::int64_t position) const;
  std::int32_t best(const score_row &row, double log_sum,
                    std::span<token_score> top);

  const neuron::kernel_set &kernels_;
  std::vector<scored_candidate> candidates_;
  std::vector<float> scores_, maxima_, score_maxima_;
};

} // namespace ganglion::runtime
