// Reads vocab.json and merges.txt: what GPT-2 and OPT came with before there
// was a tokenizer.json.
#include "hlo/support/error.hpp"
#include "runtime/tokenizer/bpe_model.hpp"
#include "runtime/tokenizer/tokenizer_parts.hpp"

#include <fstream>

namespace ganglion::runtime {

namespace {

std::vector<token_pair> read_merges(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw error(error_code::not_found, "cannot open file", path);
  std::vector<token_pair> out;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!line.empty() && !line.starts_with("#version"))
      out.push_back(parse_merge(line, path, "line " + std::to_string(number)));
  }
  return out;
}

} // namespace

tokenizer_parts read_vocab_and_merges(const std::string &directory,
                                      const tokenizer_config &config) {
  const auto path = directory + "/vocab.json";
  const auto document = json::document::load(path);
  std::vector<std::pair<std::string, std::int64_t>> tokens;
  for (auto &[token, id] : document.root().members())
    tokens.emplace_back(std::move(token), id.as_int());
  tokenizer_parts out;
  out.model = std::make_shared<bpe_model>(
      vocabulary(std::move(tokens), path, {}),
      read_merges(directory + "/merges.txt"), bpe_options{}, path);
  out.split = make_byte_level_pre_tokenizer(config.add_prefix_space);
  out.fresh_decoder = make_byte_level_decoder();
  const auto bos = config.named.find("bos_token");
  if (config.add_bos_token.value_or(false) && bos != config.named.end())
    if (const auto id = out.id(bos->second))
      out.around.before = {*id};
  return out;
}

} // namespace ganglion::runtime
