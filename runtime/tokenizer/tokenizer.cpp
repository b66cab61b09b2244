#include "runtime/tokenizer/tokenizer.hpp"

#include "hlo/support/error.hpp"
#include "runtime/tokenizer/tokenizer_parts.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace ganglion::runtime {

namespace {

tokenizer_parts read_parts(const std::string &directory,
                           const tokenizer_config &config) {
  const auto path = [&](const char *name) { return directory + "/" + name; };
  const auto exists = [&](const char *name) {
    return std::filesystem::exists(path(name));
  };
  if (exists("tokenizer.json"))
    return read_tokenizer_json(
        json::document::load(path("tokenizer.json")).root());
  if (exists("tokenizer.model"))
    return read_sentencepiece_model(path("tokenizer.model"), config);
  if (exists("vocab.json") && exists("merges.txt"))
    return read_vocab_and_merges(directory, config);
  throw error(error_code::not_found,
              "no tokenizer.json, no tokenizer.model, and no vocab.json with "
              "merges.txt",
              directory);
}

std::string valid_utf8(std::string_view text) {
  if (is_utf8(text))
    return std::string(text);
  std::string out;
  append_lossy(out, text, false);
  return out;
}

} // namespace

std::shared_ptr<const tokenizer> tokenizer::load(const std::string &directory) {
  const auto config = read_tokenizer_config(directory);
  auto parts = read_parts(directory, config);
  parts.finish(config);
  return std::make_shared<const tokenizer>(std::move(parts));
}

std::shared_ptr<const tokenizer>
tokenizer::from_json(std::string_view text, const std::string &where) {
  auto parts = read_tokenizer_json(json::document::parse(text, where).root());
  parts.finish({});
  return std::make_shared<const tokenizer>(std::move(parts));
}

tokenizer::tokenizer(tokenizer_parts parts)
    : parts_(std::make_unique<const tokenizer_parts>(std::move(parts))) {}

tokenizer::~tokenizer() = default;

// Text between the added tokens that are looked for in the text as given.
void tokenizer::encode_plain(std::string text, bool at_start,
                             std::vector<std::int32_t> &out) const {
  if (parts_->normalize)
    parts_->normalize->apply(text);
  for (const auto &match : parts_->added.find(text, true)) {
    if (match.id >= 0) {
      out.push_back(match.id);
      continue;
    }
    const auto [begin, end] = match.span;
    std::vector<pre_token> words{
        {text.substr(begin, end - begin), at_start && begin == 0}};
    if (parts_->split)
      parts_->split->apply(words);
    parts_->model->encode(words, out);
  }
}

std::vector<std::int32_t> tokenizer::encode(std::string_view text,
                                            bool add_special_tokens) const {
  if (text.size() > max_text_bytes)
    throw error(error_code::invalid_argument,
                "the text has " + std::to_string(text.size()) +
                    " bytes; at most " + std::to_string(max_text_bytes) +
                    " can be encoded");
  const auto valid = valid_utf8(text);
  std::vector<std::int32_t> out;
  if (add_special_tokens)
    out = parts_->around.before;
  for (const auto &match : parts_->added.find(valid, false)) {
    const auto [begin, end] = match.span;
    if (match.id >= 0)
      out.push_back(match.id);
    else
      encode_plain(valid.substr(begin, end - begin), begin == 0, out);
  }
  if (add_special_tokens)
    out.insert(out.end(), parts_->around.after.begin(),
               parts_->around.after.end());
  return out;
}

tokenizer::special_tokens tokenizer::special_tokens_around() const {
  return {parts_->around.before, parts_->around.after};
}

std::vector<std::vector<std::int32_t>>
tokenizer::encode_batch(std::span<const std::string> texts,
                        bool add_special_tokens) const {
  std::vector<std::vector<std::int32_t>> out(texts.size());
  tbb::parallel_for(std::size_t{0}, texts.size(), [&](std::size_t i) {
    out[i] = encode(texts[i], add_special_tokens);
  });
  return out;
}

std::string tokenizer::decode(std::span<const std::int32_t> ids,
                              bool skip_special_tokens) const {
  auto decoding = parts_->fresh_decoder;
  for (const auto id : ids)
    if (const auto token = token_of(id))
      if (!skip_special_tokens || !parts_->added.is_special(*token))
        decoding.push(*token);
  decoding.finish();
  return decoding.take();
}

std::optional<std::int32_t> tokenizer::id_of(std::string_view token) const {
  return parts_->id(token);
}

std::optional<std::string_view> tokenizer::token_of(std::int32_t id) const {
  const auto added = parts_->added.content(id);
  return added ? added : parts_->model->tokens().token(id);
}

std::string tokenizer::text_of(std::int32_t id) const {
  const auto at_start = decode(std::array{id}, false);
  auto text = decode(std::array{id, id}, false);
  // The first token of a text may lose a space that the second keeps.
  return text.starts_with(at_start) ? text.substr(at_start.size()) : at_start;
}

std::string tokenizer::odd_bytes_of(std::int32_t id) const {
  const auto token = token_of(id);
  if (!token || parts_->added.content(id))
    return {};
  auto bytes = parts_->fresh_decoder.bytes_of(*token);
  return is_utf8(bytes) ? std::string() : bytes;
}

std::string tokenizer::bytes_of(std::int32_t id) const {
  auto odd = odd_bytes_of(id);
  return odd.empty() ? text_of(id) : odd;
}

std::int32_t tokenizer::vocab_size() const {
  return std::max(parts_->added.id_end(), parts_->model->tokens().id_end());
}

bool tokenizer::is_special(std::int32_t id) const {
  const auto token = token_of(id);
  return token && parts_->added.is_special(*token);
}

std::optional<std::string_view>
tokenizer::named_token(std::string_view name) const {
  const auto found = parts_->named.find(name);
  return found == parts_->named.end()
             ? std::nullopt
             : std::optional<std::string_view>(found->second);
}

std::vector<std::int32_t> tokenizer::eos_token_ids() const {
  const auto token = named_token("eos_token");
  return token ? std::vector{*id_of(*token)} : std::vector<std::int32_t>();
}

std::optional<std::int32_t> tokenizer::bos_token_id() const {
  const auto token = named_token("bos_token");
  return token ? id_of(*token) : std::nullopt;
}

} // namespace ganglion::runtime
