// The JSON header of a safetensors file, read and checked against the size of
// the data that follows it.
#pragma once

#include "runtime/checkpoint/tensor_dtype.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// One tensor as the header describes it: bytes [begin, end) of the data.
struct safetensors_entry {
  std::string name;
  tensor_dtype dtype = tensor_dtype::f32;
  std::vector<std::int64_t> dims;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct safetensors_header {
  /// In the order of their bytes, which they cover without gap or overlap.
  std::vector<safetensors_entry> entries;
  std::map<std::string, std::string> metadata;
};

/// Reads the header `text` of a file with `data_size` bytes of tensors.
/// Throws `corrupt_data`; `where` names the file.
safetensors_header read_safetensors_header(std::string_view text,
                                           std::uint64_t data_size,
                                           const std::string &where);

} // namespace ganglion::runtime
