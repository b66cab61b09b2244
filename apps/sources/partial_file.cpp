#include "apps/sources/partial_file.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ganglion::apps {

partial_file::partial_file(std::string path, const std::string &version)
    : path_(std::move(path)),
      temporary_(path_ + "." + version + ".incomplete") {
  runtime::make_directories(
      std::filesystem::path(path_).parent_path().string());
  fd_ =
      ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd_ < 0)
    fail("cannot create");
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    ::close(fd_);
    throw error(error_code::unavailable,
                "another process is downloading it; start again when it has "
                "ended",
                temporary_);
  }
  struct stat about {};
  if (::fstat(fd_, &about) == 0)
    size_ = static_cast<std::uint64_t>(about.st_size);
}

partial_file::~partial_file() {
  if (fd_ >= 0)
    ::close(fd_);
}

void partial_file::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      fail("cannot write");
    size_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void partial_file::clear() {
  if (::ftruncate(fd_, 0) != 0)
    fail("cannot empty");
  size_ = 0;
}

void partial_file::move_into_place() {
  if (::fsync(fd_) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail("cannot move into place");
}

void partial_file::fail(const char *what) const {
  throw error(error_code::unavailable,
              std::string(what) + ": " + std::strerror(errno), temporary_);
}

} // namespace ganglion::apps
