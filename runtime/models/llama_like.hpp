// What LLaMA and the families that took over its form share: config fields and
// tensor names.
#pragma once

#include "runtime/models/config_fields.hpp"
#include "runtime/models/family.hpp"

namespace ganglion::runtime {

/// The spec of a config with LLaMA's fields; `family` names it in messages,
/// `n_positions` is what an absent max_position_embeddings means. Biases are
/// left to the family.
hlo::decoder_spec llama_like_spec(const json::value &config,
                                  const std::string &family,
                                  std::int64_t n_positions);

/// The positions that a row sees by sliding_window: null means all, 0;
/// leaving it out means `absent`.
std::int64_t window_of(const json::value &config, std::int64_t absent);

tensor_origin llama_like_origin(const hlo::decoder_spec &spec,
                                std::int64_t layer, const std::string &part);

} // namespace ganglion::runtime
