// The named tensors of a pickled state dict.
#pragma once

#include "runtime/checkpoint/pickle_value.hpp"

#include <map>
#include <string>

namespace ganglion::runtime {

struct state_dict_limits {
  static constexpr std::size_t depth = 8;
  static constexpr std::size_t entries = 1 << 18;
  static constexpr std::size_t name = 1024; ///< bytes
};

/// Name to tensor. The root must be a dict that holds at least one tensor
/// itself; dicts within it are flattened, names joined with dots, and values
/// that are not tensors are left out with a warning. Throws `corrupt_data` for
/// other roots, names given twice and what exceeds the limits.
std::map<std::string, pickle_ref> read_state_dict(const pickle &from,
                                                  const std::string &where);

} // namespace ganglion::runtime
