// A tensor as a pickle describes it: a layout over a storage that lies outside
// the pickle.
#pragma once

#include "runtime/checkpoint/pickle_value.hpp"
#include "runtime/checkpoint/strided_tensor.hpp"
#include "runtime/checkpoint/tensor_dtype.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ganglion::runtime {

struct torch_tensor {
  tensor_dtype dtype = tensor_dtype::f32;
  strided_layout layout;
  std::string_view storage;        ///< its key, borrowed from the pickle
  std::uint64_t storage_bytes = 0; ///< as the pickle says
};

/// Whether the value is a tensor or a parameter.
bool is_tensor(const pickle &from, pickle_ref ref);

/// Reads a value for which `is_tensor` holds. Throws `corrupt_data` with the
/// tensor's `name` for arguments of wrong number, type or size.
torch_tensor read_torch_tensor(const pickle &from, pickle_ref ref,
                               const std::string &where,
                               const std::string &name);

} // namespace ganglion::runtime
