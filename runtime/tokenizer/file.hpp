// Reading a whole file.
#pragma once

#include "hlo/support/error.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace ganglion::runtime {

/// The bytes of `path`. Throws `not_found` when it cannot be opened.
inline std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw error(error_code::not_found, "cannot open file", path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace ganglion::runtime
