// The element types a checkpoint may store, with their sizes and the names
// that safetensors headers use.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ganglion::runtime {

enum class tensor_dtype {
  f64,
  f32,
  f16,
  bf16,
  f8_e5m2,
  f8_e4m3,
  i64,
  i32,
  i16,
  i8,
  u64,
  u32,
  u16,
  u8,
  boolean,
};

/// Bytes of one element.
std::size_t size_of(tensor_dtype dtype);
/// The safetensors name: "F32", "BF16", "BOOL", ...
std::string_view to_string(tensor_dtype dtype);
/// The type with that safetensors name, or nothing.
std::optional<tensor_dtype> find_dtype(std::string_view name);
/// All names, comma separated, for messages that say what is accepted.
std::string dtype_names();

} // namespace ganglion::runtime
