// Any bytes as a regular expression: refused with a typed error, or a grammar
// that reads some text within its limits.
#include "tests/fuzz/grammar_fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  using ganglion::runtime::output_kind;
  ganglion::testing::compile_and_read(output_kind::regex, data, size);
  return 0;
}
