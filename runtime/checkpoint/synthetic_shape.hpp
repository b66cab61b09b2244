// The tensors and configuration files of a synthetic model, without contents.
#pragma once

#include "runtime/checkpoint/safetensors_writer.hpp"
#include "runtime/checkpoint/synthetic.hpp"

#include <string>
#include <vector>

namespace ganglion::runtime {

/// Throws `invalid_argument` naming the first field that no model can have.
void check_spec(const synthetic_spec &spec);

/// Every tensor, named as HuggingFace names them for that family.
std::vector<tensor_spec> synthetic_tensors(const synthetic_spec &spec);

/// Whether that tensor is a norm's scale, which is 1 in a fresh model.
bool is_norm_weight(const std::string &name);

/// The text of config.json and generation_config.json.
std::string synthetic_config(const synthetic_spec &spec);
std::string synthetic_generation_config(const synthetic_spec &spec);

} // namespace ganglion::runtime
