// Models of the HuggingFace hub, in the cache that HuggingFace's own libraries
// share.
#pragma once

#include "apps/sources/source_options.hpp"

#include <string>
#include <string_view>

namespace ganglion::apps {

/// Whether `text` has the form of an id: "gpt2", "meta-llama/Llama-3.2-1B".
bool is_hub_id(std::string_view text);

/// The directory of the model's snapshot at the revision, with config,
/// tokenizer and weights: safetensors, or pytorch_model.bin where there are
/// none. Only what the cache lacks is fetched. Throws what `fetch_file` throws,
/// and `not_found` offline for what the cache lacks.
std::string fetch_from_hub(const std::string &id,
                           const source_options &options);

} // namespace ganglion::apps
