// Arbitrary bytes as HLO text: refused with an error, or a module that prints
// to a fixed point and that the passes keep valid.
#include "hlo/passes/pass_pipeline.hpp"
#include "hlo/support/error.hpp"
#include "hlo/text/parser.hpp"
#include "hlo/text/printer.hpp"
#include "hlo/verifier.hpp"

#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  using namespace ganglion;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  std::unique_ptr<hlo::module> m;
  try {
    m = hlo::parse(text, "fuzz");
  } catch (const error &e) {
    if (e.code() != error_code::corrupt_data &&
        e.code() != error_code::invalid_argument)
      std::abort();
    return 0;
  }
  // What was accepted once must be accepted again, and mean the same.
  const std::string printed = hlo::print(*m);
  if (hlo::print(*hlo::parse(printed, "printed")) != printed)
    std::abort();
  hlo::simplification_pipeline().run(*m);
  hlo::verify(*m);
  return 0;
}
