// Reads a pickle as data. Python's unpickler runs whatever functions a pickle
// names; this one knows the names in `torch_symbol` and calls none of them.
#pragma once

#include "runtime/checkpoint/pickle_value.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace ganglion::runtime {

/// What a pickle may cost: a checkpoint of 200,000 tensors stays below.
struct pickle_limits {
  static constexpr std::size_t bytes = 1 << 26;
  static constexpr std::size_t steps = 1 << 24;
  static constexpr std::size_t values = 1 << 22;
  static constexpr std::size_t open_marks = 100;
};

/// Reads protocols 2 to 5. Throws `unsupported`, naming it, for a function,
/// class or opcode that torch.save has no need of, and `corrupt_data` for
/// everything ill-formed or beyond the limits. The result borrows `bytes`.
pickle unpickle(std::span<const std::byte> bytes, const std::string &where);

} // namespace ganglion::runtime
