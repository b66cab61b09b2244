// What tokenizer_config.json and special_tokens_map.json add to a tokenizer:
// the names of the special tokens and a few switches.
#pragma once

#include "runtime/tokenizer/added_vocabulary.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ganglion::runtime {

struct tokenizer_config {
  std::string tokenizer_class;
  /// "bos_token", "eos_token", "unk_token", "pad_token", ... to the token.
  std::map<std::string, std::string, std::less<>> named;
  std::optional<bool> add_bos_token, add_eos_token;
  bool legacy = true;
  bool add_prefix_space = false;
  std::string padding_side = "right", truncation_side = "right";
  /// Nothing also where the file writes HuggingFace's word for "no limit".
  std::optional<std::int64_t> model_max_length;
  std::vector<added_token> added;
};

/// Reads the files of `directory`; either may be missing. Throws for JSON of
/// the wrong form.
tokenizer_config read_tokenizer_config(const std::string &directory);

} // namespace ganglion::runtime
