// Reads a BPE model from a tokenizer.json.
#include "hlo/support/error.hpp"
#include "runtime/tokenizer/bpe_model.hpp"

namespace ganglion::runtime {

namespace {

vocabulary read_vocabulary(const json::value &vocab) {
  std::vector<std::pair<std::string, std::int64_t>> tokens;
  for (auto &[token, id] : vocab.members())
    tokens.emplace_back(std::move(token), id.as_int());
  return vocabulary(std::move(tokens), vocab.where(), vocab.path());
}

// A merge is "left right" or, in newer files, ["left", "right"].
token_pair read_merge(const json::value &merge) {
  if (merge.is_string())
    return parse_merge(merge.as_string_view(), merge.where(), merge.path());
  const auto pair = merge.items();
  if (pair.size() != 2)
    throw error(error_code::corrupt_data, "expected two tokens", merge.where(),
                merge.path());
  return {pair[0].as_string(), pair[1].as_string()};
}

} // namespace

token_pair parse_merge(std::string_view line, const std::string &where,
                       const std::string &field) {
  const auto space = line.find(' ');
  if (space == std::string_view::npos ||
      line.find(' ', space + 1) != std::string_view::npos)
    throw error(error_code::corrupt_data,
                "expected two tokens with one space between them, found '" +
                    std::string(line) + "'",
                where, field);
  return {std::string(line.substr(0, space)),
          std::string(line.substr(space + 1))};
}

token_model_ptr read_bpe_model(const json::value &v) {
  if (v.get_double("dropout", 0) != 0)
    throw error(error_code::unsupported,
                "dropout makes encoding random; only 0 or null is accepted",
                v.where(), v.path() + ".dropout");
  bpe_options options;
  options.unk_token = v.get_string("unk_token", "");
  options.fuse_unk = v.get_bool("fuse_unk", false);
  options.byte_fallback = v.get_bool("byte_fallback", false);
  options.ignore_merges = v.get_bool("ignore_merges", false);
  options.continuing_subword_prefix =
      v.get_string("continuing_subword_prefix", "");
  options.end_of_word_suffix = v.get_string("end_of_word_suffix", "");
  std::vector<token_pair> merges;
  for (const auto &merge : v.at("merges").items())
    merges.push_back(read_merge(merge));
  return std::make_shared<bpe_model>(read_vocabulary(v.at("vocab")), merges,
                                     std::move(options), v.where());
}

} // namespace ganglion::runtime
