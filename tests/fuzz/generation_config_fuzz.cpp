// Arbitrary bytes as generation_config.json and as a config.json without one:
// refused by field, or numbers that are in the range of their type.
#include "hlo/support/error.hpp"
#include "runtime/generation/generation_config.hpp"
#include "runtime/json/reader.hpp"

#include <cmath>
#include <cstdlib>

using namespace ganglion;

namespace {

void check(const runtime::generation_config &c) {
  const auto &s = c.sampling;
  for (const float x : {s.temperature, s.top_p, s.min_p, s.typical_p,
                        s.epsilon_cutoff, s.eta_cutoff, s.repetition_penalty})
    if (!std::isfinite(x))
      std::abort();
  for (const std::int64_t n :
       {c.max_length, c.min_length, s.min_new_tokens, c.num_return_sequences,
        c.max_new_tokens.value_or(0)})
    if (n < 0 || n > INT32_MAX)
      std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  try {
    static const auto model =
        json::document::parse(R"({"eos_token_id": 2})", "config.json");
    const auto own = json::document::parse(text, "generation_config.json");
    const auto root = own.root();
    check(runtime::parse_generation_config(&root, model.root()));
    check(runtime::parse_generation_config(nullptr, root));
  } catch (const error &e) {
    if (e.code() != error_code::corrupt_data &&
        e.code() != error_code::invalid_argument)
      std::abort();
  }
  return 0;
}
