// The split form of a checkpoint: a directory `pytorch_model.bin` with one
// file per tensor and a list of them, key_to_filename.json.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace ganglion::runtime {

/// Tensor name to file name.
using split_files = std::map<std::string, std::string>;

/// Reads the list. Throws `not_found`, or `corrupt_data` for wrong types,
/// names given twice and file names that would leave the directory.
split_files load_split_files(const std::string &path);
split_files parse_split_files(std::string_view text, const std::string &where);

} // namespace ganglion::runtime
