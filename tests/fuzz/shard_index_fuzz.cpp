// Arbitrary bytes as the JSON that says which file has which tensor, of shards
// and of the split form: refused, or names of files that lie beside it.
#include "hlo/support/error.hpp"
#include "runtime/checkpoint/shard_index.hpp"
#include "runtime/checkpoint/split_directory.hpp"

#include <cstdlib>

using namespace ganglion;

namespace {

void check(const std::string &file) {
  if (file.empty() || file == "." || file == ".." ||
      file.find('/') != file.npos || file.find('\0') != file.npos)
    std::abort();
}

template <class Read>
void read(Read files) {
  try {
    files();
  } catch (const error &e) {
    if (e.code() != error_code::corrupt_data)
      std::abort();
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  read([&] {
    const auto index = runtime::shard_index::parse(text, "fuzz");
    for (const auto &file : index.files()) {
      check(file);
      // No tensor of the index is in a shard without tensors.
      read([&] {
        index.select(file, {}, "shard");
        std::abort();
      });
    }
  });
  read([&] {
    for (const auto &[name, file] : runtime::parse_split_files(text, "fuzz"))
      check(file);
  });
  return 0;
}
