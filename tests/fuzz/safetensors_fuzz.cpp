// Feeds arbitrary bytes to the safetensors reader: it must accept or throw
// `corrupt_data`, and every view it gives must lie inside the bytes.
#include "hlo/support/error.hpp"
#include "runtime/checkpoint/safetensors.hpp"

#include <cstdlib>

using namespace ganglion;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte *>(data), size);
  try {
    const auto file = runtime::safetensors_file::parse(bytes, "fuzz");
    for (const auto &tensor : file.tensors()) {
      unsigned sum = 0; // touches every byte, for the sanitizer to judge
      for (const std::byte byte : tensor.bytes)
        sum += std::to_integer<unsigned>(byte);
      if (file.find(tensor.name) != &tensor || sum > 255 * size)
        std::abort();
    }
  } catch (const error &e) {
    if (e.code() != error_code::corrupt_data)
      std::abort();
  }
  return 0;
}
