// What a model directory says about generating text: generation_config.json
// or, without one, the same fields of config.json.
#pragma once

#include "runtime/generation/beam_search.hpp"
#include "runtime/generation/sampling_parameters.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ganglion::json {
class value;
}

namespace ganglion::runtime {

/// Fields and defaults of HuggingFace's `GenerationConfig`.
struct generation_config {
  std::int64_t max_length = 20; ///< prompt and new tokens together
  std::optional<std::int64_t> max_new_tokens;
  /// What the adapter hands to requests: as in `sampling_parameters`, with
  /// HuggingFace's defaults.
  sampling_parameters sampling = {.top_k = 50};
  std::int64_t min_length = 0; ///< prompt and new tokens together
  std::int64_t num_return_sequences = 1;
  std::int64_t num_beams = 1; ///< 1: no beam search
  float length_penalty = 1.0f;
  runtime::early_stopping early_stopping = runtime::early_stopping::no;
  std::vector<std::int32_t> eos_token_id; ///< in the order of the file
  std::optional<std::int32_t> pad_token_id;
  std::string where; ///< the file that all but the ids came from
  /// Fields that ask for what is not done here, and their values.
  std::vector<std::pair<std::string, std::string>> unsupported;
};

/// Reads the files of `directory`, of which config.json must be there. Throws
/// `not_found`, `corrupt_data` or `invalid_argument` naming the field.
generation_config read_generation_config(const std::string &directory);

/// `early_stopping` as HuggingFace writes it: true, false or "never".
early_stopping parse_early_stopping(const json::value &v);

/// The same of parsed files; `own` is generation_config.json, null without.
generation_config parse_generation_config(const json::value *own,
                                          const json::value &model);

} // namespace ganglion::runtime
