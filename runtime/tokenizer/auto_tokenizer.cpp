#include "runtime/tokenizer/auto_tokenizer.hpp"

#include "hlo/support/error.hpp"
#include "runtime/tokenizer/tokenizer_config.hpp"

#include <tbb/parallel_for.h>

namespace ganglion::runtime {

namespace {

[[noreturn]] void refuse(const std::string &message, const std::string &where,
                         const char *field) {
  throw error(error_code::invalid_argument, message, where, field);
}

text_side side_of(const std::string &word, const std::string &directory,
                  const char *field) {
  if (word == "left")
    return text_side::left;
  if (word == "right")
    return text_side::right;
  refuse("'" + word + "' is no side; accepted: left, right",
         directory + "/tokenizer_config.json", field);
}

} // namespace

auto_tokenizer auto_tokenizer::from_pretrained(const std::string &directory) {
  const auto config = read_tokenizer_config(directory);
  auto_tokenizer out;
  out.directory_ = directory;
  out.tokens_ = tokenizer::load(directory);
  out.model_max_length_ = config.model_max_length;
  out.padding_side_ = side_of(config.padding_side, directory, "padding_side");
  out.truncation_side_ =
      side_of(config.truncation_side, directory, "truncation_side");
  return out;
}

std::int64_t auto_tokenizer::width_limit(const encoding_options &options,
                                         const char *wanted_by) const {
  const auto limit =
      options.max_length ? options.max_length : model_max_length_;
  if (!limit)
    refuse(std::string(wanted_by) + " needs it, and the tokenizer has no "
                                    "model_max_length",
           directory_, "max_length");
  if (*limit < 1)
    refuse(std::to_string(*limit) + " is out of range; accepted: 1 or more",
           directory_, "max_length");
  return *limit;
}

std::int32_t auto_tokenizer::padding_id(const encoding_options &options) const {
  for (const auto &id : {options.pad_token_id, pad_token_id(), eos_token_id()})
    if (id)
      return *id;
  refuse("padding needs it: the tokenizer names neither a pad token nor an "
         "end of text",
         directory_, "pad_token_id");
}

batch_encoding
auto_tokenizer::operator()(const std::vector<std::string> &texts,
                           const encoding_options &options) const {
  const auto around = options.add_special_tokens
                          ? tokens_->special_tokens_around()
                          : tokenizer::special_tokens{};
  const auto extra =
      static_cast<std::int64_t>(around.before.size() + around.after.size());
  std::int64_t room = std::int64_t{1} << 62;
  if (options.truncation) {
    room = width_limit(options, "truncation") - extra;
    if (room < 0)
      refuse("no room for the " + std::to_string(extra) +
                 " special tokens around a text",
             directory_, "max_length");
  }
  const auto cut = options.truncation_side.value_or(truncation_side_);
  auto rows = tokens_->encode_batch(texts, false);
  for (auto &ids : rows) {
    truncate(ids, room, cut);
    ids.insert(ids.begin(), around.before.begin(), around.before.end());
    ids.insert(ids.end(), around.after.begin(), around.after.end());
  }
  const auto side = options.padding_side.value_or(padding_side_);
  if (options.padding == padding::none)
    return pad(std::move(rows), 0, side, 0);
  const std::int64_t width = options.padding == padding::longest
                                 ? longest_row(rows)
                                 : width_limit(options, "padding::max_length");
  return pad(std::move(rows), width, side, padding_id(options));
}

std::string auto_tokenizer::decode(const std::vector<std::int32_t> &ids,
                                   bool skip_special_tokens) const {
  return tokens_->decode(ids, skip_special_tokens);
}

std::vector<std::string>
auto_tokenizer::batch_decode(const token_rows &rows,
                             bool skip_special_tokens) const {
  std::vector<std::string> out(rows.size());
  tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) {
    out[i] = decode(rows[i], skip_special_tokens);
  });
  return out;
}

std::optional<std::int32_t> auto_tokenizer::named_id(const char *name) const {
  const auto token = tokens_->named_token(name);
  return token ? tokens_->id_of(*token) : std::nullopt;
}

std::optional<std::int32_t> auto_tokenizer::bos_token_id() const {
  return named_id("bos_token");
}

std::optional<std::int32_t> auto_tokenizer::eos_token_id() const {
  return named_id("eos_token");
}

std::optional<std::int32_t> auto_tokenizer::pad_token_id() const {
  return named_id("pad_token");
}

} // namespace ganglion::runtime
