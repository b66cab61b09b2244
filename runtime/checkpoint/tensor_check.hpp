// Compares a checkpoint with what a model needs and reports every difference
// at once, so that a wrong checkpoint is understood in one reading.
#pragma once

#include "runtime/checkpoint/checkpoint.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

struct expected_tensor {
  std::string name;
  std::vector<std::int64_t> dims;
};

/// Throws `corrupt_data` listing all missing, unexpected and mis-shaped
/// tensors, and those whose type cannot be weights; of each kind the first
/// thousand. `ignored` says which names may be present although the model does
/// not use them (saved buffers such as attention masks).
void check_tensors(const checkpoint &weights,
                   std::span<const expected_tensor> expected,
                   const std::function<bool(std::string_view)> &ignored = {});

} // namespace ganglion::runtime
