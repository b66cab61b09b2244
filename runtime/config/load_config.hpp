// From command line, serving.properties and environment to one
// `engine_config`: the order of precedence and what happens to unknown keys.
#pragma once

#include "runtime/config/engine_config.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// A directory that has the model which was named.
struct located_model {
  std::string directory;
  std::string name = {}; ///< to serve it under; empty: the directory's own
};

/// What the outside world says; only `main` reads it from there.
struct config_inputs {
  std::vector<option_setting> command_line = {}; ///< of `engine_options()`
  environment variables = {};
  /// A properties file. Without it, the one in the model's directory is read
  /// if there is one.
  std::optional<std::string> properties_path = {};
  /// The container's config.properties: of all files and variables the weakest.
  std::optional<std::string> config_path = {};
  /// Finds, or fetches, the model of that name; without it a name is a
  /// directory's.
  std::function<located_model(const std::string &, const option_values &)>
      locate = {};
  /// Cores of the machine, for `instance=host`. Not 0: start as the LMI
  /// container does, with its smart defaults and its rule for threads, and
  /// without a model that brings code of its own.
  std::int64_t container_cores = 0;
  /// Where SageMaker puts a model: if there is such a directory, a start that
  /// names no model serves it, on all addresses, and answers once it is loaded.
  std::string hosting_directory = {};
};

struct loaded_config {
  engine_config config;
  option_values values; ///< with origins, for display
  /// To be logged: a line for each unknown key, and for each value that changes
  /// nothing.
  std::vector<std::string> warnings;
};

/// Command line wins over serving.properties, that over OPTION_*, that over
/// an option's own variable, that over SERVING_*, that over config.properties,
/// that over a smart default, that over the default. A properties file that
/// names no model means its own directory; one in a directory without a model
/// may name another. A `neuron` block in the model's config.json must agree
/// with all of them. Throws `invalid_argument` for a bad value, for no model at
/// all and, under `strict`, for unknown keys, and `unsupported` for what is
/// refused.
loaded_config load_config(const config_inputs &inputs);

} // namespace ganglion::runtime
