// Arbitrary bytes as the manifest of an artefact, as they are and with the
// checksum that they should have: refused, or written again to mean the same.
#include "hlo/support/error.hpp"
#include "runtime/artifacts/manifest.hpp"

#include <cstdlib>

using namespace ganglion;

namespace {

void read(const std::string &text) {
  try {
    const auto found = runtime::parse_manifest(text, "fuzz");
    if (runtime::parse_manifest(runtime::write_manifest(found), "again") !=
        found)
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
  const std::string text(reinterpret_cast<const char *>(data), size);
  read(text);
  read(runtime::sealed(text));
  return 0;
}
