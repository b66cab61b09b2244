// Which stored types can be weights, and as what the graph knows them.
#pragma once

#include "hlo/element_type.hpp"
#include "runtime/checkpoint/tensor_dtype.hpp"

#include <optional>

namespace ganglion::runtime {

inline constexpr const char *weight_type_names = "F64, F32, F16, BF16";

/// Nothing for types that are not floating, or of eight bits.
inline std::optional<hlo::element_type> weight_type(tensor_dtype dtype) {
  switch (dtype) {
  case tensor_dtype::f64:
    return hlo::element_type::f64;
  case tensor_dtype::f32:
    return hlo::element_type::f32;
  case tensor_dtype::f16:
    return hlo::element_type::f16;
  case tensor_dtype::bf16:
    return hlo::element_type::bf16;
  default:
    return std::nullopt;
  }
}

} // namespace ganglion::runtime
