#include "runtime/tokenizer/tokenizer_config.hpp"

#include "runtime/tokenizer/file.hpp"
#include "runtime/tokenizer/wide_integers.hpp"

#include <filesystem>

namespace ganglion::runtime {

namespace {

// A token is its text or an object with the text and its properties.
std::string token_text(const json::value &v) {
  return v.is_string() ? v.as_string() : v.at("content").as_string();
}

void read_names(const json::value &root, tokenizer_config &out) {
  for (const auto &[key, token] : root.members())
    if (key.ends_with("_token") && (token.is_string() || token.is_object()))
      out.named.emplace(key, token_text(token));
}

std::optional<bool> read_switch(const json::value &root, const char *key) {
  const auto found = root.find(key);
  return found ? std::optional(found->as_bool()) : std::nullopt;
}

// HuggingFace writes 1e30 where a model has no limit.
std::optional<std::int64_t> read_length(const json::value &root,
                                        const char *key) {
  constexpr double no_limit = 1e15;
  const double length = root.get_double(key, no_limit);
  return length < no_limit ? std::optional(static_cast<std::int64_t>(length))
                           : std::nullopt;
}

void read_config(const json::value &root, tokenizer_config &out) {
  read_names(root, out);
  out.tokenizer_class = root.get_string("tokenizer_class", "");
  out.add_bos_token = read_switch(root, "add_bos_token");
  out.add_eos_token = read_switch(root, "add_eos_token");
  out.legacy = root.get_bool("legacy", true);
  out.add_prefix_space = root.get_bool("add_prefix_space", false);
  out.padding_side = root.get_string("padding_side", out.padding_side);
  out.truncation_side = root.get_string("truncation_side", out.truncation_side);
  out.model_max_length = read_length(root, "model_max_length");
  if (const auto added = root.find("added_tokens_decoder"))
    for (const auto &entry : added->members())
      out.added.push_back(read_added_token(entry.second));
}

} // namespace

tokenizer_config read_tokenizer_config(const std::string &directory) {
  tokenizer_config out;
  const auto config = directory + "/tokenizer_config.json";
  const auto map = directory + "/special_tokens_map.json";
  const auto parse = [](const std::string &path) {
    return json::document::parse(wide_integers_as_reals(read_file(path)), path);
  };
  if (std::filesystem::exists(config))
    read_config(parse(config).root(), out);
  if (std::filesystem::exists(map))
    read_names(parse(map).root(), out);
  return out;
}

} // namespace ganglion::runtime
