#include "runtime/tokenizer/unigram_model.hpp"

#include "hlo/support/error.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <algorithm>
#include <limits>

namespace ganglion::runtime {

namespace {

// How much less likely than the least likely token an unknown character is.
constexpr double unk_penalty = 10.0;

vocabulary make_vocabulary(const std::vector<scored_token> &tokens,
                           const std::string &where) {
  std::vector<std::pair<std::string, std::int64_t>> out;
  out.reserve(tokens.size());
  for (const auto &token : tokens)
    out.emplace_back(token.text, static_cast<std::int64_t>(out.size()));
  return vocabulary(std::move(out), where, "model.vocab");
}

} // namespace

// The best way to reach one offset of the word.
struct unigram_model::ending {
  double score = 0;
  std::int64_t start = -1; // where its last token starts; -1 if unreached
  std::int32_t id = -1;
};

unigram_model::unigram_model(const std::vector<scored_token> &tokens,
                             std::optional<std::int64_t> unk_id,
                             bool byte_fallback, const std::string &where)
    : token_model(make_vocabulary(tokens, where)),
      byte_fallback_(byte_fallback),
      byte_ids_(byte_token_ids(this->tokens())) {
  if (unk_id) {
    if (*unk_id < 0 || *unk_id >= static_cast<std::int64_t>(tokens.size()))
      throw error(error_code::corrupt_data,
                  "no token has the id " + std::to_string(*unk_id), where,
                  "model.unk_id");
    unk_id_ = static_cast<std::int32_t>(*unk_id);
  }
  double least = std::numeric_limits<double>::infinity();
  for (const auto &token : tokens) {
    least = std::min(least, token.score);
    if (!token.text.empty())
      trie_.add(token.text, static_cast<std::int32_t>(scores_.size()));
    scores_.push_back(token.score);
  }
  unk_score_ = least - unk_penalty;
}

std::vector<unigram_model::ending>
unigram_model::best_endings(std::string_view word) const {
  std::vector<ending> best(word.size() + 1);
  const auto offer = [&](std::size_t start, std::size_t end, std::int32_t id,
                         double score) {
    const double total = best[start].score + score;
    if (best[end].start < 0 || total > best[end].score)
      best[end] = {total, static_cast<std::int64_t>(start), id};
  };
  for (std::size_t start = 0; start < word.size();) {
    const std::size_t length = utf8_length(word[start]);
    bool has_single = false;
    auto at = byte_trie::root;
    for (std::size_t end = start; end < word.size();) {
      at = trie_.child(at, word[end++]);
      if (at < 0)
        break;
      const auto id = trie_.value(at);
      if (id < 0)
        continue;
      offer(start, end, id, scores_[static_cast<std::size_t>(id)]);
      has_single = has_single || end - start == length;
    }
    if (!has_single) {
      if (unk_id_ < 0)
        throw error(error_code::invalid_argument,
                    "the vocabulary lacks '" +
                        std::string(word.substr(start, length)) +
                        "' and the model has no unknown token",
                    {}, "model.unk_id");
      offer(start, start + length, unk_id_, unk_score_);
    }
    start += length;
  }
  return best;
}

void unigram_model::append_piece(std::string_view piece,
                                 std::vector<std::int32_t> &out) const {
  const auto id = tokens().find(piece);
  if (id >= 0)
    out.push_back(id);
  else if (!byte_fallback_ || !append_byte_tokens(byte_ids_, piece, out))
    out.push_back(unk_id_);
}

void unigram_model::encode_word(std::string_view word,
                                std::vector<std::int32_t> &out) const {
  const auto best = best_endings(word);
  std::vector<std::string_view> pieces; // from the last to the first
  bool previous_unknown = false;
  for (std::size_t end = word.size(); end > 0;) {
    const auto start = static_cast<std::size_t>(best[end].start);
    const auto piece = word.substr(start, end - start);
    const bool unknown = unk_id_ >= 0 && best[end].id == unk_id_;
    if (unknown && previous_unknown)
      pieces.back() = word.substr(start, piece.size() + pieces.back().size());
    else
      pieces.push_back(piece);
    previous_unknown = unknown;
    end = start;
  }
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece)
    append_piece(*piece, out);
}

void unigram_model::encode(std::span<const pre_token> words,
                           std::vector<std::int32_t> &out) const {
  for (const auto &word : words)
    encode_word(word.text, out);
}

token_model_ptr read_unigram_model(const json::value &v) {
  std::vector<scored_token> tokens;
  for (const auto &entry : v.at("vocab").items()) {
    const auto pair = entry.items();
    if (pair.size() != 2)
      throw error(error_code::corrupt_data, "expected a token and its score",
                  entry.where(), entry.path());
    tokens.push_back({pair[0].as_string(), pair[1].as_double()});
  }
  const auto unk = v.find("unk_id");
  return std::make_shared<unigram_model>(
      tokens, unk ? std::optional(unk->as_int()) : std::nullopt,
      v.get_bool("byte_fallback", false), v.where());
}

} // namespace ganglion::runtime
