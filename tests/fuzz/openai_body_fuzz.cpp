// Arbitrary bytes as the body of an OpenAI request: accepted, or refused with
// a typed error that can be told as JSON.
#include "apps/openai/openai_error.hpp"
#include "runtime/json/reader.hpp"

#include <cstdlib>

using namespace ganglion;

namespace {

void parse(apps::openai_route route, std::string_view body) {
  try {
    const auto call = apps::parse_openai_call(route, body);
    if (apps::sequences_of(call).size() > 1024)
      std::abort();
  } catch (const error &e) {
    const auto answer = apps::openai_refusal(apps::failure_of(e), route);
    if (answer.status != 400)
      std::abort();
    json::document::parse(answer.body, "answer");
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  const std::string_view body(reinterpret_cast<const char *>(data), size);
  parse(apps::openai_route::completions, body);
  parse(apps::openai_route::chat, body);
  return 0;
}
