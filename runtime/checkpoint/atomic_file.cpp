#include "runtime/checkpoint/atomic_file.hpp"

#include "runtime/checkpoint/file_error.hpp"

#include <atomic>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

namespace ganglion::runtime {

namespace {

/// Unique among the processes and threads that may share a directory.
std::string temporary_name(const std::string &path) {
  static std::atomic<unsigned> counter = 0;
  return path + ".tmp." + std::to_string(::getpid()) + "." +
         std::to_string(counter++);
}

void write_all(int fd, std::span<const std::byte> bytes,
               const std::string &path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      throw file_error(path, "write");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

} // namespace

void write_atomically(const std::string &path,
                      std::span<const std::span<const std::byte>> pieces) {
  const std::string temporary = temporary_name(path);
  const int fd =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0)
    throw file_error(path, "create");
  try {
    for (const auto &piece : pieces)
      write_all(fd, piece, path);
  } catch (...) {
    ::close(fd);
    ::unlink(temporary.c_str());
    throw;
  }
  if (::close(fd) == 0 && ::rename(temporary.c_str(), path.c_str()) == 0)
    return;
  const int number = errno;
  ::unlink(temporary.c_str());
  throw file_error(path, "move into place", number);
}

void write_atomically(const std::string &path,
                      std::span<const std::byte> bytes) {
  write_atomically(path, std::span(&bytes, 1));
}

void write_atomically(const std::string &path, std::string_view text) {
  write_atomically(path, std::as_bytes(std::span(text)));
}

void make_directories(const std::string &path) {
  std::error_code status;
  std::filesystem::create_directories(path, status);
  if (status)
    throw file_error(path, "create directory", status.value());
}

} // namespace ganglion::runtime
