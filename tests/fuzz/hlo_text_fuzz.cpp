// Arbitrary bytes as HLO text: refused with an error, or a module that prints
// to a fixed point.
#include "hlo/support/error.hpp"
#include "hlo/text/parser.hpp"
#include "hlo/text/printer.hpp"

#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  using namespace ganglion;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  std::string printed;
  try {
    printed = hlo::print(*hlo::parse(text, "fuzz"));
  } catch (const error &e) {
    if (e.code() != error_code::corrupt_data &&
        e.code() != error_code::invalid_argument)
      std::abort();
    return 0;
  }
  // What was accepted once must be accepted again, and mean the same.
  if (hlo::print(*hlo::parse(printed, "printed")) != printed)
    std::abort();
  return 0;
}
