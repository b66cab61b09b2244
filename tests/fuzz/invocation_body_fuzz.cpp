// Arbitrary bytes as the body of a request: accepted, or refused with a typed
// error that can be told as JSON.
#include "apps/lmi/invocation.hpp"
#include "apps/lmi/lmi_error.hpp"
#include "runtime/json/reader.hpp"

#include <cstdlib>

using namespace ganglion;

namespace {

void parse(std::string_view body, bool strict) {
  try {
    const auto call = apps::parse_invocation(body, strict);
    runtime::validate(call.request);
    if (strict && !call.ignored.empty())
      std::abort();
  } catch (const error &e) {
    const auto answer = apps::failure_response(
        {e.code(), e.what(), e.where(), e.field()}, "model");
    if (answer.status != 424)
      std::abort();
    json::document::parse(answer.body, "answer");
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  const std::string_view body(reinterpret_cast<const char *>(data), size);
  parse(body, false);
  parse(body, true);
  return 0;
}
