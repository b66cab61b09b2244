#include "runtime/tokenizer/tokenizer_parts.hpp"

#include "hlo/support/log.hpp"

#include <algorithm>
#include <array>

namespace ganglion::runtime {

namespace {

// HuggingFace rebuilds the template of these classes from the switches of
// tokenizer_config.json, whatever tokenizer.json says.
constexpr std::array<std::string_view, 6> classes_with_switches{
    "LlamaTokenizer",         "LlamaTokenizerFast", "CodeLlamaTokenizer",
    "CodeLlamaTokenizerFast", "GemmaTokenizer",     "GemmaTokenizerFast"};

bool has_switches(const tokenizer_config &config) {
  return std::find(classes_with_switches.begin(), classes_with_switches.end(),
                   config.tokenizer_class) != classes_with_switches.end();
}

std::vector<std::int32_t> ids_if(const std::optional<bool> &wanted,
                                 const char *name, const tokenizer_parts &parts,
                                 std::vector<std::int32_t> otherwise) {
  if (!wanted)
    return otherwise;
  const auto token = parts.named.find(name);
  if (!*wanted || token == parts.named.end())
    return {};
  return {*parts.id(token->second)};
}

} // namespace

std::optional<std::int32_t> tokenizer_parts::id(std::string_view token) const {
  if (const auto found = added.id(token))
    return found;
  const auto found = model->tokens().find(token);
  return found < 0 ? std::nullopt : std::optional(found);
}

void tokenizer_parts::finish(const tokenizer_config &config) {
  for (const auto &token : config.added)
    if (!added.id(token.content))
      added.add(token, model->tokens());
  for (const auto &[name, token] : config.named) {
    if (!id(token)) {
      log::warn("tokenizer: {} '{}' is not in the vocabulary", name, token);
      continue;
    }
    named.emplace(name, token);
    if (!added.id(token)) {
      added_token special;
      special.content = token;
      special.special = true;
      added.add(special, model->tokens());
    }
  }
  added.prepare(normalize.get());
  if (has_switches(config)) {
    around.before =
        ids_if(config.add_bos_token, "bos_token", *this, around.before);
    around.after =
        ids_if(config.add_eos_token, "eos_token", *this, around.after);
  }
}

} // namespace ganglion::runtime
