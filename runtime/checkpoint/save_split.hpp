// Writes the split form of a checkpoint: every tensor a file of its own, beside
// the model's config and tokenizer.
#pragma once

#include "runtime/checkpoint/checkpoint.hpp"

#include <string>

namespace ganglion::runtime {

/// Makes `directory` with a copy of the small files of `source`, a model
/// directory, and the directory `pytorch_model.bin` with one file per tensor,
/// written in parallel, and their list key_to_filename.json, written last.
/// Torch reads each, and `checkpoint::open` the whole, with identical bits.
/// Throws `invalid_argument` when both are the same directory, what opening
/// throws, and file errors.
void save_pretrained_split(const std::string &source,
                           const std::string &directory);

/// The same for a checkpoint that is open.
void write_split(const checkpoint &weights, const std::string &directory);

/// Copies what belongs to a model besides weights: config, generation config,
/// tokenizer, chat template, serving.properties left out.
void copy_model_files(const std::string &source, const std::string &directory);

} // namespace ganglion::runtime
