// Feeds arbitrary bytes to the reader of torch.save's files, as a whole file
// and as the pickle within one: it must accept or refuse, and every view it
// gives must be readable and of the size its dimensions say.
#include "hlo/support/error.hpp"
#include "runtime/checkpoint/torch_file.hpp"
#include "tests/runtime/checkpoint/torch_archive.hpp"

#include <algorithm>
#include <cstdlib>

using namespace ganglion;

namespace {

void read(std::span<const std::byte> bytes) {
  try {
    const auto file = runtime::torch_file::parse(bytes, "fuzz");
    std::size_t touched = 0;
    std::size_t sum = 0; // touches every byte, for the sanitizer to judge
    for (const auto &tensor : file.tensors()) {
      const auto size = runtime::byte_size(tensor.dtype, tensor.dims);
      if (!size || *size != tensor.bytes.size())
        std::abort();
      // Many tensors may share a large storage: its ends stand for all of it.
      const std::size_t most = std::min<std::size_t>(*size, 4096);
      touched += 2 * most;
      for (const std::byte byte : tensor.bytes.first(most))
        sum += std::to_integer<unsigned>(byte);
      for (const std::byte byte : tensor.bytes.last(most))
        sum += std::to_integer<unsigned>(byte);
    }
    if (sum > 255 * touched)
      std::abort();
  } catch (const error &e) {
    if (e.code() != error_code::corrupt_data &&
        e.code() != error_code::unsupported)
      std::abort();
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  const std::span whole(reinterpret_cast<const std::byte *>(data), size);
  read(whole);
  const auto archive = testing::torch_bytes(
      std::string(reinterpret_cast<const char *>(data), size));
  read(std::as_bytes(std::span(archive)));
  return 0;
}
