#include "runtime/checkpoint/mapped_file.hpp"

#include "runtime/checkpoint/file_error.hpp"

#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ganglion::runtime {

namespace {

/// Maps the open file; an empty file has no mapping.
std::span<const std::byte> map(int fd, const std::string &path) {
  struct stat info {};
  if (::fstat(fd, &info) != 0)
    throw file_error(path, "inspect");
  if (!S_ISREG(info.st_mode))
    throw error(error_code::invalid_argument,
                S_ISDIR(info.st_mode) ? "is a directory, expected a file"
                                      : "is not a regular file",
                path);
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0)
    return {};
  void *at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED)
    throw file_error(path, "map");
  return {static_cast<const std::byte *>(at), size};
}

} // namespace

mapped_file mapped_file::open(const std::string &path) {
  // Non-blocking, so that a pipe in place of a file cannot hang us.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    throw file_error(path, "open");
  mapped_file out;
  try {
    out.bytes_ = map(fd, path);
  } catch (...) {
    ::close(fd);
    throw;
  }
  ::close(fd);
  return out;
}

mapped_file::mapped_file(mapped_file &&other) noexcept
    : bytes_(std::exchange(other.bytes_, {})) {}

mapped_file &mapped_file::operator=(mapped_file &&other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

mapped_file::~mapped_file() {
  if (!bytes_.empty())
    ::munmap(const_cast<std::byte *>(bytes_.data()), bytes_.size());
}

} // namespace ganglion::runtime
