// A model directory that is only a config.json, and starts of the container
// with it.
#pragma once

#include "runtime/config/command_line.hpp"
#include "runtime/config/load_config.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

namespace ganglion::testing {

inline runtime::command_spec serve_spec() { return {.name = "serve"}; }

/// 8 billion parameters, on a machine of two cores.
class container_model : public scratch_directory {
public:
  explicit container_model(const std::string &family = "llama") {
    write("config.json",
          "{\"model_type\": \"" + family +
              "\", \"hidden_size\": 4096, \"intermediate_size\": 14336, "
              "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, "
              "\"num_key_value_heads\": 8, \"vocab_size\": 128256, "
              "\"max_position_embeddings\": 131072}");
  }

  static runtime::loaded_config
  start(const std::vector<std::string> &arguments,
        const runtime::environment &variables = {}) {
    return runtime::load_config(
        {.command_line =
             runtime::parse_command_line(serve_spec(), arguments).engine,
         .variables = variables,
         .container_cores = 2});
  }

  /// How a start with this model fails.
  std::string failure(std::vector<std::string> arguments) const {
    arguments.push_back("--model=" + path());
    return error_text([&] { start(arguments); });
  }
  static std::string failure_of(const runtime::environment &variables) {
    return error_text([&] { start({}, variables); });
  }
};

} // namespace ganglion::testing
