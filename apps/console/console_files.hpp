// The console's files, which the build puts into the program.
#pragma once

#include <span>
#include <string_view>

namespace ganglion::apps {

struct console_file {
  std::string_view name; ///< "console.js"
  std::string_view text;
};

std::span<const console_file> console_files();

} // namespace ganglion::apps
