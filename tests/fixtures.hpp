// Where tests find their data: the fixtures in the tree and, when a developer
// has them, the larger goldens named by GANGLION_GOLDENS.
#pragma once

#include <cstdlib>
#include <string>

namespace ganglion::testing {

inline std::string source_dir() { return GANGLION_SOURCE_DIR; }
inline std::string fixture(const std::string &name) {
  return source_dir() + "/tests/fixtures/" + name;
}
inline std::string stories260k() {
  return source_dir() + "/models/stories260k";
}

/// The directory of published vocabularies and chat templates that may not be
/// shipped, or an empty string when it is not there.
inline std::string goldens() {
  const char *named = std::getenv("GANGLION_GOLDENS");
  return named ? named : "";
}

} // namespace ganglion::testing
