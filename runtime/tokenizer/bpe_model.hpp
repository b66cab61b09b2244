// Byte-pair encoding: a word starts as characters, and the neighbouring pair
// with the lowest rank is merged until no pair has a rule.
#pragma once

#include "runtime/tokenizer/merge_table.hpp"
#include "runtime/tokenizer/token_model.hpp"

#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ganglion::runtime {

struct bpe_options {
  std::string unk_token;      ///< for characters not in the vocabulary; or none
  bool fuse_unk = false;      ///< neighbouring unknowns become one
  bool byte_fallback = false; ///< unknown characters become "<0x..>" tokens
  bool ignore_merges = false; ///< a word that is a token is not taken apart
  std::string continuing_subword_prefix; ///< before all but the first
  std::string end_of_word_suffix;        ///< after the last character
};

using token_pair = std::pair<std::string, std::string>;

/// O(n log n) in the length of a word.
class bpe_model final : public token_model {
public:
  /// `merges` in order of rank. Throws `corrupt_data` (at `where`) for a
  /// merge or unknown token that is not in the vocabulary.
  bpe_model(vocabulary tokens, const std::vector<token_pair> &merges,
            bpe_options options, const std::string &where);

  void encode(std::span<const pre_token> words,
              std::vector<std::int32_t> &out) const override;

private:
  struct symbol;
  struct candidate;
  struct scratch;

  void add_merge(const token_pair &merge, std::int32_t rank,
                 const std::string &where);
  std::int32_t character_id(std::string_view character, bool first,
                            bool last) const;
  void start(std::string_view word, scratch &s) const;
  void merge_all(scratch &s) const;
  void consider(scratch &s, std::int32_t left) const;

  bpe_options options_;
  merge_table merges_;
  std::int32_t unk_id_ = -1;
  std::array<std::int32_t, 256> byte_ids_{};
  // Ids of the characters below U+0400, where most words are at home.
  std::array<std::int32_t, 0x400> low_characters_{};
};

/// Reads a model of type "BPE" from a tokenizer.json.
token_model_ptr read_bpe_model(const json::value &component);

/// The two tokens of a line "left right" of merges; throws `corrupt_data`
/// naming `where` and `field`.
token_pair parse_merge(std::string_view line, const std::string &where,
                       const std::string &field);

} // namespace ganglion::runtime
