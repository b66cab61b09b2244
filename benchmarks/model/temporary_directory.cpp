#include "benchmarks/model/temporary_directory.hpp"

#include "hlo/support/error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <stdlib.h>

namespace ganglion::benchmarks {

temporary_directory::temporary_directory()
    : path_((std::filesystem::temp_directory_path() / "ganglion-bench-XXXXXX")
                .string()) {
  if (!::mkdtemp(path_.data()))
    throw error(error_code::unavailable,
                std::string("cannot create a directory: ") +
                    std::strerror(errno),
                path_);
}

temporary_directory::~temporary_directory() {
  std::error_code ignored; // a stray directory is no reason to end badly
  std::filesystem::remove_all(path_, ignored);
}

} // namespace ganglion::benchmarks
