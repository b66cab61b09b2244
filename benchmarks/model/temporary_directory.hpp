// A directory that is gone again when its owner is.
#pragma once

#include <string>

namespace ganglion::benchmarks {

class temporary_directory {
public:
  /// Creates one under the system's directory for temporary files (TMPDIR).
  /// Throws `unavailable` with the reason.
  temporary_directory();
  ~temporary_directory();
  temporary_directory(const temporary_directory &) = delete;
  temporary_directory &operator=(const temporary_directory &) = delete;

  const std::string &path() const { return path_; }

private:
  std::string path_;
};

} // namespace ganglion::benchmarks
