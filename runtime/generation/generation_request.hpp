// What a client asks for, and the checks it must pass before anything runs.
#pragma once

#include "hlo/support/clock.hpp"
#include "runtime/generation/beam_search.hpp"
#include "runtime/generation/sampling_parameters.hpp"
#include "runtime/grammar/output_form.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ganglion::runtime {

struct generation_request {
  /// Text to tokenise, unless `prompt_ids` are given.
  std::string prompt;
  std::vector<std::int32_t> prompt_ids;
  bool add_special_tokens = true; ///< when tokenising `prompt`

  sampling_parameters sampling;
  std::optional<std::uint64_t> seed; ///< nothing: the engine draws one
  std::int64_t max_new_tokens = 0;   ///< 0: the engine's default
  std::int32_t n = 1;                ///< choices, each generated on its own
  /// Choices to generate, of which the `n` with the highest mean
  /// log-probability are told, best first and not before all have ended; 0:
  /// `n`.
  std::int32_t best_of = 0;
  /// Above 1: beam search, with so many beams, of which the `n` best come when
  /// all have ended. The next two are beam search's alone.
  std::int32_t num_beams = 1;
  float length_penalty = 1.0f;
  runtime::early_stopping early_stopping = runtime::early_stopping::no;
  std::vector<std::string> stop; ///< strings that end the text
  bool include_stop_str_in_output = false;
  std::vector<std::int32_t> stop_token_ids;
  bool ignore_eos = false;
  bool skip_special_tokens = true; ///< in the text of events
  std::optional<duration> timeout; ///< from submission to the last token

  /// Who asks, as the host numbers them: clients get equal shares of the
  /// tokens when there are not enough for all.
  std::size_t client = 0;
  /// Computed prefixes are shared with requests of the same salt only.
  std::string cache_salt;
  /// Alternatives whose log-probabilities come with each new token, whose own
  /// always does.
  std::optional<std::int32_t> top_logprobs;
  /// Alternatives at each token of the prompt; set: the prompt's tokens are
  /// wanted with their log-probabilities. These are always raw.
  std::optional<std::int32_t> prompt_logprobs;
  /// Log-probabilities after processors and warpers instead of the model's.
  bool processed_logprobs = false;

  /// The form that the new text must have; nothing: any.
  std::optional<output_form> structured_outputs;

  /// Only the logits of the prompt's positions are wanted.
  bool prompt_logits = false;
  /// No new token, whatever `max_new_tokens` says: what is asked of the
  /// prompt is all.
  bool prompt_only = false;
};

inline constexpr std::size_t most_stop_strings = 64;
inline constexpr std::size_t longest_stop_string = 1024; ///< bytes

/// Throws `invalid_argument` naming the field, its value and what would be
/// accepted.
void validate(const generation_request &request);

/// Throws `invalid_argument` naming the list with a token id that is outside
/// the vocabulary. `prompt` are the ids of the prompt.
void check_vocabulary(const generation_request &request,
                      const std::vector<std::int32_t> &prompt,
                      std::int64_t vocabulary);

} // namespace ganglion::runtime
