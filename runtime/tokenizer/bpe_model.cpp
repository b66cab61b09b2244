#include "runtime/tokenizer/bpe_model.hpp"

#include "hlo/support/error.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <algorithm>

namespace ganglion::runtime {

// A symbol of the word being encoded: a list within an array.
struct bpe_model::symbol {
  std::int32_t id;
  std::int32_t previous, next; // -1 at the ends
  bool gone;                   // merged into the symbol before it
};

// A merge that may be done at `left`, unless something changed there since.
struct bpe_model::candidate {
  std::int32_t rank, left, id;

  // The heap keeps the lowest rank, then the leftmost, on top.
  friend bool operator<(const candidate &a, const candidate &b) {
    return a.rank != b.rank ? a.rank > b.rank : a.left > b.left;
  }
};

struct bpe_model::scratch {
  std::vector<std::int32_t> ids;
  std::vector<symbol> symbols;
  std::vector<candidate> heap;
};

bpe_model::bpe_model(vocabulary tokens, const std::vector<token_pair> &merges,
                     bpe_options options, const std::string &where)
    : token_model(std::move(tokens)),
      options_(std::move(options)),
      merges_(merges.size()),
      byte_ids_(byte_token_ids(this->tokens())) {
  if (!options_.unk_token.empty()) {
    unk_id_ = this->tokens().find(options_.unk_token);
    if (unk_id_ < 0)
      throw error(error_code::corrupt_data,
                  "'" + options_.unk_token + "' is not in the vocabulary",
                  where, "model.unk_token");
  }
  for (char32_t c = 0; c < low_characters_.size(); ++c)
    low_characters_[c] = this->tokens().find(to_utf8(c));
  std::int32_t rank = 0;
  for (const auto &merge : merges)
    add_merge(merge, rank++, where);
}

void bpe_model::add_merge(const token_pair &merge, std::int32_t rank,
                          const std::string &where) {
  const auto id_of = [&](const std::string &token) {
    const auto id = tokens().find(token);
    if (id < 0)
      throw error(error_code::corrupt_data,
                  "'" + token + "' is not in the vocabulary", where,
                  "model.merges[" + std::to_string(rank) + "]");
    return id;
  };
  const auto left = id_of(merge.first), right = id_of(merge.second);
  const auto prefix =
      std::min(options_.continuing_subword_prefix.size(), merge.second.size());
  const auto merged = id_of(merge.first + merge.second.substr(prefix));
  merges_.set(left, right, {rank, merged});
}

std::int32_t bpe_model::character_id(std::string_view character, bool first,
                                     bool last) const {
  const auto &prefix = options_.continuing_subword_prefix;
  const auto &suffix = options_.end_of_word_suffix;
  if ((!first && !prefix.empty()) || (last && !suffix.empty()))
    return tokens().find((first ? "" : prefix) + std::string(character) +
                         (last ? suffix : ""));
  const auto value = next_code_point(character).value;
  return value < low_characters_.size() ? low_characters_[value]
                                        : tokens().find(character);
}

// The ids of the characters of `word`. An unknown one waits until the next
// known one is written, so that it can be fused with its neighbours; bytes do
// not end the wait, which is HuggingFace's order.
void bpe_model::start(std::string_view word, scratch &s) const {
  s.ids.clear();
  bool unknown = false;
  for (std::size_t at = 0; at < word.size();) {
    const auto character = word.substr(at, utf8_length(word[at]));
    const bool first = at == 0;
    at += character.size();
    const auto id = character_id(character, first, at >= word.size());
    if (id >= 0) {
      if (unknown)
        s.ids.push_back(unk_id_);
      unknown = false;
      s.ids.push_back(id);
    } else if (options_.byte_fallback &&
               append_byte_tokens(byte_ids_, character, s.ids)) {
      continue;
    } else if (unk_id_ >= 0) {
      if (unknown && !options_.fuse_unk)
        s.ids.push_back(unk_id_);
      unknown = true;
    }
  }
  if (unknown)
    s.ids.push_back(unk_id_);
}

void bpe_model::consider(scratch &s, std::int32_t left) const {
  if (left < 0)
    return;
  const auto &here = s.symbols[static_cast<std::size_t>(left)];
  if (here.next < 0)
    return;
  const auto right = s.symbols[static_cast<std::size_t>(here.next)].id;
  if (const auto *rule = merges_.find(here.id, right)) {
    s.heap.push_back({rule->rank, left, rule->id});
    std::push_heap(s.heap.begin(), s.heap.end());
  }
}

void bpe_model::merge_all(scratch &s) const {
  const auto count = static_cast<std::int32_t>(s.ids.size());
  s.symbols.clear();
  s.heap.clear();
  for (std::int32_t i = 0; i < count; ++i)
    s.symbols.push_back({s.ids[static_cast<std::size_t>(i)], i - 1,
                         i + 1 < count ? i + 1 : -1, false});
  for (std::int32_t i = 0; i < count; ++i)
    consider(s, i);
  while (!s.heap.empty()) {
    std::pop_heap(s.heap.begin(), s.heap.end());
    const auto top = s.heap.back();
    s.heap.pop_back();
    auto &left = s.symbols[static_cast<std::size_t>(top.left)];
    if (left.gone || left.next < 0)
      continue;
    auto &right = s.symbols[static_cast<std::size_t>(left.next)];
    const auto *rule = merges_.find(left.id, right.id);
    if (!rule || rule->id != top.id)
      continue;
    left.id = top.id;
    left.next = right.next;
    right.gone = true;
    if (left.next >= 0)
      s.symbols[static_cast<std::size_t>(left.next)].previous = top.left;
    consider(s, left.previous);
    consider(s, top.left);
  }
}

void bpe_model::encode(std::span<const pre_token> words,
                       std::vector<std::int32_t> &out) const {
  scratch s;
  for (const auto &word : words) {
    if (options_.ignore_merges) {
      if (const auto id = tokens().find(word.text); id >= 0) {
        out.push_back(id);
        continue;
      }
    }
    start(word.text, s);
    if (s.ids.size() < 2) {
      out.insert(out.end(), s.ids.begin(), s.ids.end());
      continue;
    }
    merge_all(s);
    // The first symbol is never merged into another.
    for (std::int32_t i = 0; i >= 0;) {
      const auto &here = s.symbols[static_cast<std::size_t>(i)];
      out.push_back(here.id);
      i = here.next;
    }
  }
}

} // namespace ganglion::runtime
