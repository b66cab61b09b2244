// Arbitrary bytes as a HloModuleProto: refused with an error, or a module that
// is written to a fixed point.
#include "hlo/proto/serialise.hpp"
#include "hlo/support/error.hpp"

#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  using namespace ganglion;
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  std::unique_ptr<hlo::module> m;
  try {
    m = hlo::deserialise(bytes, "fuzz");
  } catch (const error &e) {
    if (e.code() != error_code::corrupt_data &&
        e.code() != error_code::invalid_argument)
      std::abort();
    return 0;
  }
  // What was accepted once must be accepted again, and mean the same.
  const std::string written = hlo::serialise(*m);
  if (hlo::serialise(*hlo::deserialise(written, "written")) != written)
    std::abort();
  return 0;
}
