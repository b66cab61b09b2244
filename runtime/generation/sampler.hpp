// Chooses a token from one row of logits, in HuggingFace's order: repetition
// penalty, temperature, top-k, top-p, draw.
#pragma once

#include "neuron/kernels/kernels.hpp"
#include "runtime/generation/sampling_parameters.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ganglion::runtime {

/// The chosen token and the log-softmax of its logit after penalties.
struct chosen_token {
  std::int32_t token = 0;
  float logprob = 0;
};

/// What sampling remembers of a sequence, beside the shard.
struct sampler_state {
  sampling_parameters parameters;
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

/// Scratch memory for one thread; nothing is allocated while sampling.
class sampler {
public:
  sampler(std::size_t vocabulary, const neuron::kernel_set &kernels);

  /// Parts that a row is scanned in, by as many threads.
  std::size_t parts() const;
  /// Applies the penalties of a part of `logits` [vocabulary], in place, and
  /// scans it. Any thread may do any part.
  neuron::vocabulary_scan scan(std::span<float> logits,
                               const sampler_state &state,
                               std::size_t part) const;
  /// Chooses from scanned logits; `scans` are those of all parts. `position`
  /// is that of the chosen token and keys the random numbers. Ties go to the
  /// lowest id. A row of NaNs yields token 0.
  chosen_token choose(std::span<const float> logits,
                      std::span<const neuron::vocabulary_scan> scans,
                      const sampler_state &state, std::int64_t position);

private:
  struct candidate {
    float score; ///< logit / temperature
    std::int32_t token;
  };
  std::span<candidate> kept(std::span<const float> logits,
                            const sampling_parameters &p);
  std::span<candidate> nucleus(std::span<candidate> from, float top_p);

  const neuron::kernel_set &kernels_;
  std::vector<candidate> candidates_;
};

} // namespace ganglion::runtime
