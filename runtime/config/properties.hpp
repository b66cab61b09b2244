// Reads Java's .properties syntax, in which serving.properties is written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::runtime {

/// One key with its value, escapes resolved, and the line where it began.
struct property {
  std::string key;
  std::string value;
  std::size_t line = 0;
};

/// Texts larger than this, in bytes and in properties, are refused.
inline constexpr std::size_t max_properties_size = 1 << 20;
inline constexpr std::size_t max_properties = 4096;

/// The properties of `text` (UTF-8) in order. A key may come twice; the last
/// one counts. Throws `corrupt_data` naming `where` and the line.
std::vector<property> parse_properties(std::string_view text,
                                       const std::string &where);

/// Reads a file. Throws `not_found` or `corrupt_data`.
std::vector<property> load_properties(const std::string &path);

} // namespace ganglion::runtime
