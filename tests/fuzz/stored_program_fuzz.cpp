// Arbitrary bytes as the text of a stored program: refused with an error, or
// lowered to a program whose plan can be printed. Nothing is run.
#include "hlo/support/error.hpp"
#include "hlo/text/parser.hpp"
#include "neuron/compiler/compiler.hpp"

#include <cstdlib>
#include <string_view>

using namespace ganglion;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  try {
    std::shared_ptr<hlo::module> m = hlo::parse(text, "fuzz");
    const auto code = neuron::lower(m, {});
    if (code->parameters.size() != m->entry()->parameters().size())
      std::abort();
  } catch (const error &e) {
    if (e.code() == error_code::internal)
      std::abort();
  }
  return 0;
}
