// Reads a tokenizer.model with libsentencepiece and builds from its pieces the
// tokenizer that HuggingFace converts it to.
#include "hlo/support/error.hpp"
#include "runtime/tokenizer/bpe_model.hpp"
#include "runtime/tokenizer/file.hpp"
#include "runtime/tokenizer/sentencepiece_spec.hpp"
#include "runtime/tokenizer/tokenizer_parts.hpp"
#include "runtime/tokenizer/unigram_model.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <tuple>

namespace ganglion::runtime {

namespace {

std::vector<scored_token>
read_pieces(const sentencepiece::SentencePieceProcessor &processor,
            const std::string &where) {
  std::vector<scored_token> out;
  for (int id = 0; id < processor.GetPieceSize(); ++id) {
    out.push_back({processor.IdToPiece(id), processor.GetScore(id)});
    if (!is_utf8(out.back().text))
      throw error(error_code::corrupt_data,
                  "piece " + std::to_string(id) + " is not UTF-8", where);
  }
  return out;
}

struct ranked_merge {
  std::string left, right;
  double score = 0;
  std::int32_t left_id = 0, right_id = 0;
  std::size_t left_length = 0, right_length = 0; // in characters
};

// All ways to make `token` of two others, by their ids.
std::vector<ranked_merge> merges_into(const scored_token &token,
                                      const vocabulary &tokens) {
  std::vector<ranked_merge> out;
  const auto total = static_cast<std::size_t>(
      std::count_if(token.text.begin(), token.text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      }));
  std::size_t count = 0;
  for (std::size_t at = 0; at < token.text.size();) {
    at += utf8_length(token.text[at]);
    ++count;
    ranked_merge merge{token.text.substr(0, at), token.text.substr(at),
                       token.score};
    merge.left_id = tokens.find(merge.left);
    merge.right_id = tokens.find(merge.right);
    merge.left_length = count;
    merge.right_length = total - count;
    if (count < total && merge.left_id >= 0 && merge.right_id >= 0)
      out.push_back(std::move(merge));
  }
  std::sort(out.begin(), out.end(), [](const auto &a, const auto &b) {
    return std::tie(a.left_id, a.right_id) < std::tie(b.left_id, b.right_id);
  });
  return out;
}

// SentencePiece has no list of merges: it prefers the pair that makes the
// piece with the higher score.
std::vector<token_pair> merges_of(const std::vector<scored_token> &pieces,
                                  const vocabulary &tokens) {
  std::vector<ranked_merge> all;
  for (const auto &piece : pieces)
    for (auto &merge : merges_into(piece, tokens))
      all.push_back(std::move(merge));
  std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
    return std::tie(a.score, a.left_length, a.right_length) >
           std::tie(b.score, b.left_length, b.right_length);
  });
  std::vector<token_pair> out;
  for (auto &merge : all)
    out.emplace_back(std::move(merge.left), std::move(merge.right));
  return out;
}

token_model_ptr make_bpe(const std::vector<scored_token> &pieces,
                         const std::string &unk, const std::string &where) {
  std::vector<std::pair<std::string, std::int64_t>> ids;
  for (const auto &piece : pieces)
    ids.emplace_back(piece.text, static_cast<std::int64_t>(ids.size()));
  vocabulary tokens(std::move(ids), where, {});
  const auto merges = merges_of(pieces, tokens);
  bpe_options options;
  options.unk_token = unk;
  options.fuse_unk = true;
  options.byte_fallback = true;
  return std::make_shared<bpe_model>(std::move(tokens), merges,
                                     std::move(options), where);
}

// How spaces are written: the older layout does it while normalising each
// piece of text, the newer one only at the start of the whole.
void set_layout(tokenizer_parts &out, const sentencepiece_spec &spec,
                const tokenizer_config &config) {
  out.fresh_decoder = make_sentencepiece_decoder(spec.add_dummy_prefix);
  if (!config.legacy && spec.add_dummy_prefix) {
    out.split = make_first_metaspace();
    return;
  }
  std::vector<normalizer_ptr> steps;
  if (spec.add_dummy_prefix)
    steps.push_back(make_prepend("▁"));
  steps.push_back(make_replace(" ", "▁"));
  out.normalize = make_normalizer_sequence(std::move(steps));
}

void set_special_tokens(tokenizer_parts &out,
                        const sentencepiece::SentencePieceProcessor &processor,
                        const sentencepiece_spec &spec,
                        const tokenizer_config &config) {
  for (int id = 0; id < processor.GetPieceSize(); ++id) {
    added_token token;
    token.content = processor.IdToPiece(id);
    token.special = processor.IsControl(id) || processor.IsUnknown(id);
    if (token.special || spec.user_defined.contains(id))
      out.added.add(token, out.model->tokens());
  }
  if (config.add_bos_token.value_or(true) && processor.bos_id() >= 0)
    out.around.before = {processor.bos_id()};
  if (config.add_eos_token.value_or(false) && processor.eos_id() >= 0)
    out.around.after = {processor.eos_id()};
}

} // namespace

tokenizer_parts read_sentencepiece_model(const std::string &path,
                                         const tokenizer_config &config) {
  const auto bytes = read_file(path);
  const auto spec = read_sentencepiece_spec(bytes, path);
  if (spec.has_charsmap)
    throw error(error_code::unsupported,
                "this SentencePiece model normalises with a table of its own; "
                "convert it to a tokenizer.json",
                path, "normalizer_spec.precompiled_charsmap");
  if (spec.kind != sentencepiece_spec::bpe &&
      spec.kind != sentencepiece_spec::unigram)
    throw error(error_code::unsupported,
                "model type " + std::to_string(spec.kind) +
                    "; 1 (unigram) and 2 (BPE) are supported",
                path, "trainer_spec.model_type");
  sentencepiece::SentencePieceProcessor processor;
  const auto status = processor.LoadFromSerializedProto(bytes);
  if (!status.ok())
    throw error(error_code::corrupt_data, status.ToString(), path);
  const auto pieces = read_pieces(processor, path);
  const auto unk = processor.unk_id();
  tokenizer_parts out;
  if (spec.kind == sentencepiece_spec::bpe)
    out.model = make_bpe(pieces, processor.IdToPiece(unk), path);
  else
    out.model = std::make_shared<unigram_model>(pieces, unk, true, path);
  set_layout(out, spec, config);
  set_special_tokens(out, processor, spec, config);
  return out;
}

} // namespace ganglion::runtime
