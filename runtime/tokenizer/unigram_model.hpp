// The unigram language model: of all ways to write a word as tokens, the one
// with the highest sum of log-probabilities.
#pragma once

#include "runtime/tokenizer/byte_trie.hpp"
#include "runtime/tokenizer/token_model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ganglion::runtime {

struct scored_token {
  std::string text;
  double score = 0;
};

/// O(n * longest token) in the length of a word.
class unigram_model final : public token_model {
public:
  /// `tokens` by id. Throws `corrupt_data` (at `where`) when `unk_id` is not
  /// among them.
  unigram_model(const std::vector<scored_token> &tokens,
                std::optional<std::int64_t> unk_id, bool byte_fallback,
                const std::string &where);

  /// Throws `invalid_argument` for a character that is not in the vocabulary
  /// when the model has no unknown token.
  void encode(std::span<const pre_token> words,
              std::vector<std::int32_t> &out) const override;

private:
  struct ending;

  std::vector<ending> best_endings(std::string_view word) const;
  void encode_word(std::string_view word, std::vector<std::int32_t> &out) const;
  void append_piece(std::string_view piece,
                    std::vector<std::int32_t> &out) const;

  byte_trie trie_; // token -> id
  std::vector<double> scores_;
  std::int32_t unk_id_ = -1;
  double unk_score_ = 0;
  bool byte_fallback_;
  std::array<std::int32_t, 256> byte_ids_{};
};

/// Reads a model of type "Unigram" from a tokenizer.json.
token_model_ptr read_unigram_model(const json::value &component);

} // namespace ganglion::runtime
