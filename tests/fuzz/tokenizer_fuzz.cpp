// Any bytes as a tokenizer.json: loading, encoding and decoding must end in a
// result or a typed error, and streaming must give what decoding gives.
#include "hlo/support/error.hpp"
#include "runtime/tokenizer/detokenizer.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace ganglion;

namespace {

constexpr std::string_view texts[] = {"", "Hello world, it's 2024!\r\n\t  x",
                                      "naïve 日本語 😀", "<s> a<unk>b</s>",
                                      "\xFF\xC3 broken \xE2\x82"};

void exercise(const std::shared_ptr<const runtime::tokenizer> &tokens) {
  for (const auto text : texts) {
    auto ids = tokens->encode(text);
    ids.push_back(-1);
    for (std::int32_t id = 0; id < 300; id += 7)
      ids.push_back(id);
    for (const bool skip : {true, false}) {
      runtime::detokenizer detokenizer(tokens, skip);
      std::string streamed;
      for (const auto id : ids)
        streamed += detokenizer.push(id);
      streamed += detokenizer.finish();
      if (streamed != tokens->decode(ids, skip))
        std::abort();
    }
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  try {
    exercise(runtime::tokenizer::from_json(
        {reinterpret_cast<const char *>(data), size}, "fuzz"));
  } catch (const error &) {
    // Refused by name, as it should be.
  }
  return 0;
}
