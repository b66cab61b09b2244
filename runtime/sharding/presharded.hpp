// The presharded form of a checkpoint: every rank's part of every weight is a
// tensor of its own, one file per layer.
#pragma once

#include "runtime/models/model_source.hpp"

#include <string>

namespace ganglion::runtime {

/// Makes `directory` with the small files of the model's directory, config.json
/// saying `is_presharded_checkpoint`, `decoder_layer_{i}.safetensors` and
/// `DecoderLMHead.safetensors`. Keys are `{name}*{rank}`, names ours; what all
/// ranks have whole is there once, as rank 0's. Elements keep the type they
/// are stored in, so that loading with the same options gives identical bits.
/// `sharding` is resolved, as a plan has it. Throws file errors.
void save_presharded(const model_source &model,
                     const hlo::sharding_options &sharding,
                     const std::string &directory);

} // namespace ganglion::runtime
