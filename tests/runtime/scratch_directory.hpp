// A directory of a test's own, empty at first and removed at the end.
#pragma once

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace ganglion::testing {

class scratch_directory {
public:
  scratch_directory() {
    static std::atomic<int> counter = 0;
    const auto name = "ganglion-test-" + std::to_string(::getpid()) + "-" +
                      std::to_string(counter++);
    path_ = (std::filesystem::temp_directory_path() / name).string();
    std::filesystem::create_directories(path_);
  }
  scratch_directory(const scratch_directory &) = delete;
  scratch_directory &operator=(const scratch_directory &) = delete;
  ~scratch_directory() {
    std::error_code ignored; // a test must not die over a stray file
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string &path() const { return path_; }
  std::string operator/(const std::string &name) const {
    return path_ + "/" + name;
  }
  void write(const std::string &name, const std::string &text) const {
    std::ofstream(*this / name, std::ios::binary) << text;
  }

private:
  std::string path_;
};

} // namespace ganglion::testing
