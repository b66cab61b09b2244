// Writes a tensor as torch.save does, so that torch and our reader load it.
#pragma once

#include "runtime/checkpoint/tensor_view.hpp"

#include <string>

namespace ganglion::runtime {

/// One tensor in one file, which appears complete or not at all. Throws
/// `unsupported` for an element type that has no storage class in torch.save's
/// second protocol, and file errors.
void write_torch_tensor(const std::string &path, const tensor_view &tensor);

} // namespace ganglion::runtime
