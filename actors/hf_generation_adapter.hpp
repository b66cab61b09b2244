// HuggingFace's `generate` on an `auto_model`: batches with attention masks,
// greedy or sampled, as transformers-neuronx's adapter offers it.
#pragma once

#include "actors/auto_model.hpp"

namespace ganglion {

/// Arguments of `generate`. What is unset is as the model directory says in
/// generation_config.json, else HuggingFace's default.
struct generate_options {
  std::optional<bool> do_sample = {}; ///< unset and unsaid: greedy
  /// Tokens of a row in all, padding included (20); `max_new_tokens`, where
  /// given, counts instead.
  std::optional<std::int64_t> max_length = {};
  std::optional<std::int64_t> max_new_tokens = {};
  std::optional<std::int64_t> min_length = {}; ///< as max_length (0)
  std::optional<std::int64_t> min_new_tokens = {};
  std::optional<float> temperature = {};    ///< above 0 (1)
  std::optional<std::int32_t> top_k = {};   ///< 0: off (50)
  std::optional<float> top_p = {};          ///< (0, 1] (1)
  std::optional<float> min_p = {};          ///< [0, 1] (0: off)
  std::optional<float> typical_p = {};      ///< (0, 1] (1: off)
  std::optional<float> epsilon_cutoff = {}; ///< [0, 1) (0: off)
  std::optional<float> eta_cutoff = {};     ///< [0, 1) (0: off)
  std::optional<float> repetition_penalty = {};
  std::optional<std::int32_t> no_repeat_ngram_size = {}; ///< 0: off (0)
  std::optional<std::vector<std::vector<std::int32_t>>> bad_words_ids = {};
  std::optional<std::vector<std::int32_t>> suppress_tokens = {};
  /// As the first new token.
  std::optional<std::vector<std::int32_t>> begin_suppress_tokens = {};
  std::optional<std::int32_t> forced_bos_token_id = {};
  /// One of them is the last token that the length allows.
  std::optional<std::vector<std::int32_t>> forced_eos_token_id = {};
  /// Ids that end a row; an empty list: none does.
  std::optional<std::vector<std::int32_t>> eos_token_id = {};
  std::optional<std::int32_t> pad_token_id = {}; ///< else the first end of text
  std::optional<std::int64_t> num_return_sequences = {};
  std::optional<std::int64_t> num_beams = {}; ///< 1: no beam search (1)
  std::optional<float> length_penalty = {};   ///< of beams (1)
  std::optional<runtime::early_stopping> early_stopping = {}; ///< (no)
  /// Returned row i draws with `seed` + i; nothing: of the engine's choice.
  std::optional<std::uint64_t> seed = {};
  token_streamer streamer = {}; ///< its rows are those returned
};

/// A handle of the same model as the one given; threads as `auto_model`.
class hf_generation_adapter {
public:
  explicit hf_generation_adapter(auto_model model);

  /// Continues each row of `input_ids`, num_return_sequences times, and
  /// returns the given columns followed by the new tokens; rows that ended
  /// before the longest are filled with the pad token. `attention_mask` has
  /// the shape of the ids and may mask padding at the left; empty: all are
  /// tokens. Masked columns are never computed: positions and repetition
  /// penalty count from the first token, and a row gets the same tokens as
  /// alone.
  ///
  /// Throws `invalid_argument` naming the argument at fault, `unsupported` for
  /// a generation_config.json that asks for what is not done here, and
  /// what `auto_model::run` throws.
  token_rows generate(const token_rows &input_ids,
                      const token_rows &attention_mask = {},
                      const generate_options &options = {}) const;

  /// Ends `generate` calls under way, as `auto_model::reset`.
  void reset_generation();

private:
  auto_model model_;
};

} // namespace ganglion
