// From command line, serving.properties and environment to one
// `engine_config`: the order of precedence and what happens to unknown keys.
#pragma once

#include "runtime/config/engine_config.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ganglion::runtime {

/// What the outside world says; only `main` reads it from there.
struct config_inputs {
  std::vector<option_setting> command_line; ///< of `engine_options()`
  environment variables;
  /// A properties file. Without it, the one in the model's directory is read
  /// if there is one.
  std::optional<std::string> properties_path;
};

struct loaded_config {
  engine_config config;
  option_values values;              ///< with origins, for display
  std::vector<std::string> warnings; ///< one per unknown key, to be logged
};

/// Command line wins over serving.properties, that over OPTION_*, that over
/// an option's own variable, that over SERVING_*, that over the default. A
/// properties file that names no model means its own directory. A `neuron`
/// block in the model's config.json must agree with all of them. Throws
/// `invalid_argument` for a bad value, for no model at all and, under
/// `strict`, for unknown keys.
loaded_config load_config(const config_inputs &inputs);

} // namespace ganglion::runtime
