#include "runtime/checkpoint/convert.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/float_types.hpp"

#include <cstring>

namespace ganglion::runtime {

namespace {

float to_float(double value) { return static_cast<float>(value); }

/// Elements are loaded with memcpy because a view may be unaligned.
template <class Stored>
void convert(const std::byte *from, std::span<float> out) {
  for (float &value : out) {
    Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    value = to_float(stored);
    from += sizeof stored;
  }
}

} // namespace

void copy_as_float(const tensor_view &tensor, std::size_t first,
                   std::span<float> out) {
  const std::size_t count = tensor.element_count();
  if (first > count || out.size() > count - first)
    throw error(error_code::invalid_argument,
                "elements from " + std::to_string(first) + ", " +
                    std::to_string(out.size()) + " of them, asked of " +
                    std::to_string(count),
                tensor.name);
  if (out.empty())
    return;
  const std::byte *from = tensor.bytes.data() + first * size_of(tensor.dtype);
  switch (tensor.dtype) {
  case tensor_dtype::f32:
    std::memcpy(out.data(), from, out.size_bytes());
    return;
  case tensor_dtype::f16:
    return convert<float16>(from, out);
  case tensor_dtype::bf16:
    return convert<bfloat16>(from, out);
  case tensor_dtype::f64:
    return convert<double>(from, out);
  default:
    throw error(error_code::unsupported,
                "cannot read " + std::string(to_string(tensor.dtype)) +
                    " as float; accepted: F32, F16, BF16, F64",
                tensor.name);
  }
}

} // namespace ganglion::runtime
