// What a model directory says about generating text: generation_config.json
// or, without one, the same fields of config.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ganglion::runtime {

/// Fields and defaults of HuggingFace's `GenerationConfig`.
struct generation_config {
  bool do_sample = false;
  std::int64_t max_length = 20; ///< prompt and new tokens together
  std::optional<std::int64_t> max_new_tokens;
  float temperature = 1.0f;
  std::int32_t top_k = 50; ///< 0: off
  float top_p = 1.0f;
  float repetition_penalty = 1.0f;
  std::int64_t num_return_sequences = 1;
  std::vector<std::int32_t> eos_token_id; ///< in the order of the file
  std::optional<std::int32_t> pad_token_id;
  std::string where; ///< the file that all but the ids came from
  /// Fields that ask for what is not done here, and their values.
  std::vector<std::pair<std::string, std::string>> unsupported;
};

/// Reads the files of `directory`, of which config.json must be there. Throws
/// `not_found`, `corrupt_data` or `invalid_argument` naming the field.
generation_config read_generation_config(const std::string &directory);

} // namespace ganglion::runtime
