// Reads stored elements as floats.
#pragma once

#include "runtime/checkpoint/tensor_view.hpp"

#include <cstddef>
#include <span>

namespace ganglion::runtime {

/// Fills `out` with the elements [first, first + out.size()) of a F32, F16,
/// BF16 or F64 tensor (F64 is rounded). Throws `invalid_argument` when they
/// are not all there and `unsupported` for other element types.
void copy_as_float(const tensor_view &tensor, std::size_t first,
                   std::span<float> out);

} // namespace ganglion::runtime
