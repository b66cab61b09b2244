// How a model is compiled, under transformers-neuronx's names, and what that
// means for the engine.
#pragma once

#include "runtime/config/engine_config.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace ganglion {

/// Rows of a call at most, or several numbers of rows, each with programs of
/// its own: `.batch_size = 4`, `.batch_size = {1, 4}`.
class batch_sizes {
public:
  batch_sizes(std::int64_t one) : all_{one} {}
  batch_sizes(std::initializer_list<std::int64_t> several) : all_(several) {}

  std::int64_t most() const { return *std::ranges::max_element(all_); }
  const std::vector<std::int64_t> &all() const { return all_; }

private:
  std::vector<std::int64_t> all_;
};

/// Arguments of `auto_model::from_pretrained`.
struct model_options {
  batch_sizes batch_size = 1;
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
