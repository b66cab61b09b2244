// What the scheduler asks of all ranks in one step, and what comes back: plain
// data, built once and shared read-only.
#pragma once

#include "neuron/collectives/communicator.hpp"
#include "runtime/generation/sampler_state.hpp"
#include "runtime/generation/token_score.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// Stands for the token most recently sampled in a row's slot, which the
/// scheduler need not know when it plans ahead.
inline constexpr std::int32_t last_sampled = -1;

/// Stands for a guess that the draft model makes in the step.
inline constexpr std::int32_t guessed_here = -2;

inline constexpr std::int32_t no_token = -1;

/// A sequence takes a slot: its sampling state starts from these tokens.
struct slot_setup {
  std::int32_t slot = 0;
  sampled_sequence sampling;
  std::shared_ptr<const std::vector<std::int32_t>> history;
};

/// A row whose logits are wanted.
struct logit_request {
  std::int32_t row = 0;
  std::int32_t slot = 0;
  std::int64_t position = 0; ///< of the token to be chosen
  bool sample = true;        ///< false: no token is chosen
  /// Where none is chosen: the token whose log-prob is wanted, or none.
  std::int32_t target = no_token;
  std::int32_t top = 0; ///< likeliest tokens whose log-probs are wanted
  /// How many of the tokens up to its row are guesses: each holds if the
  /// request before this one chooses it. Requests of a slot stand together.
  std::int32_t guesses = 0;

  /// Whether the result has a `sampled_token` for it.
  bool has_token() const { return sample || target != no_token; }
};

/// What the rows of a step are for.
enum class step_phase : std::uint8_t {
  prefill, ///< prompts
  decode,  ///< the next tokens of texts
  mixed,
};
constexpr std::string_view to_string(step_phase phase) {
  constexpr std::string_view words[] = {"prefill", "decode", "mixed"};
  return words[static_cast<int>(phase)];
}

struct step_plan {
  std::uint64_t id = 0;
  std::vector<std::int32_t> token_ids, positions, row_slots, write_slots;
  /// max(prompt length, position + 1) of each row: the same however the prompt
  /// is cut into chunks.
  std::vector<std::int32_t> rotary_lengths;
  /// [slots, max_blocks] and [slots], rows of idle slots are zero.
  std::vector<std::int32_t> block_tables, context_lengths;
  /// [slots], of those whose tokens the draft model guesses or will guess.
  std::vector<std::uint8_t> followed;
  std::vector<logit_request> logits;
  std::vector<slot_setup> setups;
  bool return_logits = false;
  std::size_t decode_rows = 0; ///< of the rows, those that come first

  step_phase phase() const {
    return decode_rows == 0        ? step_phase::prefill
           : decode_rows == rows() ? step_phase::decode
                                   : step_phase::mixed;
  }
  std::size_t rows() const { return token_ids.size(); }
};

/// A token that was chosen, or one that a log-prob was wanted of.
struct sampled_token {
  std::int32_t slot = 0;
  std::int32_t token = 0;
  float logprob = 0;
  /// Its likeliest alternatives in `step_result::alternatives`.
  std::int32_t top_begin = 0, top_count = 0;
  token_status status = token_status::ok;
};

struct step_result {
  std::uint64_t id = 0;
  /// ok, or why the whole step failed.
  neuron::collective_status status = neuron::collective_status::ok;
  /// Of the requests that have a token, in order.
  std::vector<sampled_token> tokens;
  /// The likeliest first; the lower id among equals.
  std::vector<token_score> alternatives;
  /// [requests, vocabulary] when the plan asked for logits.
  std::shared_ptr<const std::vector<float>> logits;
  std::int64_t nanoseconds = 0, collective_nanoseconds = 0;

  std::span<const token_score> top_of(const sampled_token &t) const {
    return std::span(alternatives)
        .subspan(static_cast<std::size_t>(t.top_begin),
                 static_cast<std::size_t>(t.top_count));
  }
};

} // namespace ganglion::runtime
