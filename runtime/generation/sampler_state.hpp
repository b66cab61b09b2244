// What sampling remembers of a sequence, beside the shard.
#pragma once

#include "runtime/generation/sampling_parameters.hpp"
#include "runtime/generation/token_counts.hpp"
#include "runtime/grammar/token_grammar.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ganglion::runtime {

/// What a sequence brings when it takes a slot.
struct sampled_sequence {
  sampling_parameters parameters;
  std::size_t prompt_length = 0;
  std::size_t max_length = 0; ///< of prompt and output together
  std::uint64_t choice = 0;   ///< which of several outputs of one request
  /// Log-probs after processors and warpers are wanted, not the model's.
  bool processed_logprobs = false;
  /// Only the likeliest tokens are wanted, with the log-probabilities that
  /// processors changed, as beams are scored.
  bool beam_scores = false;
};

/// Belongs to a slot. `append` and `roll_back` allocate nothing as long as the
/// sequence stays within its longest length.
class sampler_state {
public:
  /// Starts a sequence whose tokens so far are `history`: the prompt, and what
  /// had been generated before a preemption.
  void begin(const sampled_sequence &sequence,
             std::span<const std::int32_t> history, std::size_t vocabulary);
  /// Records a chosen token.
  void append(std::int32_t token);
  /// Forgets the last `count` tokens, none of them of the prompt.
  void roll_back(std::size_t count);

  const sampling_parameters &parameters() const { return is_.parameters; }
  bool processed_logprobs() const { return is_.processed_logprobs; }
  bool beam_scores() const { return is_.beam_scores; }
  std::span<const std::int32_t> tokens() const { return tokens_; }
  std::int32_t last_token() const { return tokens_.back(); }
  std::size_t prompt_length() const { return is_.prompt_length; }
  std::size_t generated() const { return tokens_.size() - is_.prompt_length; }
  std::size_t max_length() const { return is_.max_length; }
  std::uint64_t choice() const { return is_.choice; }
  /// Empty unless a penalty needs them.
  const token_counts &counts() const { return counts_; }
  /// Where the output is in its grammar, if it has one. What that finds out
  /// when it is asked changes nothing of the sequence.
  grammar::cursor &grammar() const { return grammar_; }
  /// Whether a processor may change the logits.
  bool has_processors() const { return has_processors_; }

private:
  bool counts_tokens() const;

  sampled_sequence is_;
  std::vector<std::int32_t> tokens_{0};
  token_counts counts_;
  mutable grammar::cursor grammar_;
  bool has_processors_ = false;
};

} // namespace ganglion::runtime
