// Splitting and compiling a model ahead of time, into a directory from which a
// start compiles nothing.
#pragma once

#include "runtime/config/load_config.hpp"

#include <string>

namespace ganglion::runtime {

enum class partition_schema {
  safetensors,  ///< presharded safetensors, programs, packed weights
  compile_only, ///< programs alone, for use as `compiled_graph_path`
  optimum,      ///< Optimum's layout: `neuron` block, checkpoint/, compiled/
};

/// Writes the model of `loaded` to `directory`: config and tokenizer, the
/// artefacts in `compiled/`, what the schema adds, `serving.properties` with
/// the options it was made with, and `VERSION` with the compiler's. Throws
/// `invalid_argument` when `directory` is the model's own, and what loading
/// and writing throw.
void write_partition(const loaded_config &loaded, partition_schema schema,
                     const std::string &directory);

} // namespace ganglion::runtime
