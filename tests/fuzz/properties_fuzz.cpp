// Feeds arbitrary bytes to the .properties reader and on to the options table:
// each must accept or throw a typed error.
#include "hlo/support/error.hpp"
#include "runtime/config/config_source.hpp"
#include "runtime/config/option_values.hpp"

#include <cstdlib>

using namespace ganglion;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  try {
    const auto properties = runtime::parse_properties(text, "fuzz");
    for (const auto &[key, value, line] : properties)
      if (key.size() + value.size() > size || line == 0 || line > size)
        std::abort();
    const auto &table = runtime::engine_options();
    const auto found = runtime::settings_from(properties, table, "fuzz");
    runtime::option_values::resolve(table, found.settings);
  } catch (const error &e) {
    if (e.code() != error_code::corrupt_data &&
        e.code() != error_code::invalid_argument &&
        e.code() != error_code::unsupported)
      std::abort();
  }
  return 0;
}
