// How a model is compiled, under transformers-neuronx's names, and what that
// means for the engine.
#pragma once

#include "runtime/config/engine_config.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace ganglion {

/// Arguments of `auto_model::from_pretrained`.
struct model_options {
  std::int64_t batch_size = 1;  ///< rows of a call at most
  std::int64_t tp_degree = 2;   ///< NeuronCores that share the model
  std::int64_t n_positions = 0; ///< longest row; 0: the model's own limit
  /// Element type: "f32", "f16", "bf16" or "auto", the checkpoint's own.
  std::string amp = "f32";
  /// Any other option of the engine's table (`ganglion generate --help` lists
  /// it) by its name, with its value as text: {"kv_blocks", "64"}.
  std::map<std::string, std::string> neuron_config = {};
};

namespace actors {

/// The engine's configuration for the model in `directory`. Throws
/// `invalid_argument` naming the option, its value and what is accepted.
runtime::engine_config config_of(const std::string &directory,
                                 const model_options &options);

} // namespace actors

} // namespace ganglion
