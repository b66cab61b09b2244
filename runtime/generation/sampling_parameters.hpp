// How the next token of a sequence is chosen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ganglion::runtime {

namespace grammar {
class token_grammar;
}

/// Added to the logit of a token.
struct token_bias {
  std::int32_t token = 0;
  float bias = 0;
};

/// The part of the parameters that is lists of tokens.
struct token_rules {
  std::vector<token_bias> logit_bias;
  /// Sequences of tokens that must not come up.
  std::vector<std::vector<std::int32_t>> bad_words_ids;
  std::vector<std::int32_t> allowed_token_ids; ///< empty: all are
  std::vector<std::int32_t> suppress_tokens;
  std::vector<std::int32_t> begin_suppress_tokens; ///< as the first new one
  /// The second token of all, after a prompt of one.
  std::optional<std::int32_t> forced_bos_token_id;
  /// One of these is the last token that `max_new_tokens` allows.
  std::vector<std::int32_t> forced_eos_token_id;
  /// Tokens that end the sequence and so wait for `min_new_tokens` and the
  /// end of a grammar's text; the engine fills them in.
  std::vector<std::int32_t> end_token_ids;
};

/// Plain data, cheap to copy; `validate` in generation_request.hpp checks
/// ranges. docs/sampling.md says in which order these apply.
struct sampling_parameters {
  bool do_sample = false;                ///< false: greedy
  float temperature = 1.0f;              ///< > 0
  std::int32_t top_k = 0;                ///< 0: off
  float top_p = 1.0f;                    ///< (0, 1]; 1: off
  float min_p = 0.0f;                    ///< [0, 1]; 0: off
  float typical_p = 1.0f;                ///< (0, 1]; 1: off
  float epsilon_cutoff = 0.0f;           ///< [0, 1); 0: off
  float eta_cutoff = 0.0f;               ///< [0, 1); 0: off
  float top_n_sigma = 0.0f;              ///< >= 0; 0: off
  float repetition_penalty = 1.0f;       ///< > 0; 1: off
  float frequency_penalty = 0.0f;        ///< [-2, 2]; 0: off
  float presence_penalty = 0.0f;         ///< [-2, 2]; 0: off
  std::int32_t no_repeat_ngram_size = 0; ///< 0: off
  std::int64_t min_new_tokens = 0;
  std::uint64_t seed = 0;
  std::shared_ptr<const token_rules> rules = {}; ///< null: none
  /// What the text must follow; null: nothing. The engine makes it of the
  /// request's `structured_outputs`, and fills in `rules`.
  std::shared_ptr<grammar::token_grammar> grammar = {};

  /// A copy of the rules, made its own, to be filled in.
  token_rules &own_rules() {
    auto copy = rules ? std::make_shared<token_rules>(*rules)
                      : std::make_shared<token_rules>();
    rules = copy;
    return *copy;
  }
};

} // namespace ganglion::runtime
