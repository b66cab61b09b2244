// Any bytes as a chat template: parsing and rendering end in a prompt or in a
// typed error, within the limits.
#include "runtime/chat/chat_template.hpp"

#include <cstdint>

using namespace ganglion;
using runtime::chat::value;

namespace {

value conversation() {
  const auto message = [](const char *role, const char *content) {
    return value::dict({{"role", role}, {"content", content}});
  };
  return value::list({message("system", " Be kind. "),
                      message("user", "Hi\nthere"),
                      message("assistant", "na\xC3\xAFve")});
}

runtime::chat_options options() {
  runtime::chat_options out;
  out.bos_token = "<s>";
  out.eos_token = "</s>";
  out.tools = value::list({value::dict({{"name", "f"}, {"n", 1}})});
  out.extra = {{"x", 5}, {"y", 2.5}, {"lst", value::list({3, 1, 2, 3})}};
  out.clock = [] { return std::tm{}; };
  out.limits.steps = 20'000;
  out.limits.output = 1 << 16;
  out.limits.memory = 1 << 22;
  out.limits.depth = 200;
  return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  try {
    runtime::chat_template::parse({reinterpret_cast<const char *>(data), size})
        .render(conversation(), options());
  } catch (const runtime::chat::chat_error &) {
    // Refused by name, as it should be.
  }
  return 0;
}
