// The `neuron` block that Optimum's layout has in config.json: the sizes that
// a model directory was compiled for.
#pragma once

#include "runtime/config/option_values.hpp"

#include <string>
#include <vector>

namespace ganglion::json {
class value;
}

namespace ganglion::runtime {

/// What the block in `directory`'s config.json says about options: num_cores,
/// sequence_length, batch_size and auto_cast_type; nothing when there is none.
/// Throws `invalid_argument` naming the field and both values where `values`
/// has something else that somebody gave.
std::vector<option_setting> neuron_block_settings(const std::string &directory,
                                                  const option_values &values);
/// The same of a parsed config.json.
std::vector<option_setting> neuron_block_settings(const json::value &config,
                                                  const option_values &values);

/// The block's JSON text for a model compiled with these sizes; `dtype` is one
/// of f32, f16 and bf16.
std::string neuron_block(std::int64_t num_cores, std::int64_t sequence_length,
                         std::int64_t batch_size, const std::string &dtype,
                         const std::string &compiler_version);

} // namespace ganglion::runtime
