#include "runtime/checkpoint/mapped_file.hpp"

#include "runtime/checkpoint/file_error.hpp"

#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ganglion::runtime {

namespace {

std::int64_t nanoseconds(const timespec &t) {
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

file_identity identity_of(const struct stat &info) {
  return {info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size),
          nanoseconds(info.st_mtim), nanoseconds(info.st_ctim)};
}

/// Maps the open file; an empty file has no mapping.
std::span<const std::byte> map(int fd, const std::string &path,
                               file_identity &identity) {
  struct stat info {};
  if (::fstat(fd, &info) != 0)
    throw file_error(path, "inspect");
  if (!S_ISREG(info.st_mode))
    throw error(error_code::invalid_argument,
                S_ISDIR(info.st_mode) ? "is a directory, expected a file"
                                      : "is not a regular file",
                path);
  identity = identity_of(info);
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
    out.bytes_ = map(fd, path, out.identity_);
  } catch (...) {
    ::close(fd);
    throw;
  }
  ::close(fd);
  return out;
}

mapped_file::mapped_file(mapped_file &&other) noexcept
    : bytes_(std::exchange(other.bytes_, {})),
      identity_(other.identity_) {}

mapped_file &mapped_file::operator=(mapped_file &&other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(identity_, other.identity_);
  return *this;
}

void mapped_file::release(std::span<const std::byte> part) const {
  const auto *begin = bytes_.data(), *end = begin + bytes_.size();
  if (part.empty() || part.data() < begin || part.data() + part.size() > end)
    return;
  // Whole pages only: the neighbours' bytes on the outer ones stay.
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto first =
      (static_cast<std::size_t>(part.data() - begin) + page - 1) / page * page;
  const auto last =
      static_cast<std::size_t>(part.data() + part.size() - begin) / page * page;
  if (first < last)
    ::madvise(const_cast<std::byte *>(begin) + first, last - first,
              MADV_DONTNEED);
}

void mapped_file::prefetch() const {
  if (!bytes_.empty())
    ::madvise(const_cast<std::byte *>(bytes_.data()), bytes_.size(),
              MADV_WILLNEED);
}

mapped_file::~mapped_file() {
  if (!bytes_.empty())
    ::munmap(const_cast<std::byte *>(bytes_.data()), bytes_.size());
}

} // namespace ganglion::runtime
