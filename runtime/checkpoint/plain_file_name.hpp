// Names of files found in untrusted indexes, which may only mean files beside
// the index.
#pragma once

#include <string_view>

namespace ganglion::runtime {

inline bool is_plain_file_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) ==
             std::string_view::npos;
}

} // namespace ganglion::runtime
