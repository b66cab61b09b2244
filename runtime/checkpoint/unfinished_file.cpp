#include "runtime/checkpoint/unfinished_file.hpp"

#include "runtime/checkpoint/file_error.hpp"

#include <atomic>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ganglion::runtime {

namespace {

constexpr std::string_view mark = ".tmp.";
/// Between its creation and its lock a file may look abandoned.
constexpr time_t grace_seconds = 60;

/// Unique among the processes and threads that may share a directory.
std::string temporary_name(const std::string &path) {
  static std::atomic<unsigned> counter = 0;
  return path + std::string(mark) + std::to_string(::getpid()) + "." +
         std::to_string(counter++);
}

bool written_long_ago(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 &&
         info.st_mtime + grace_seconds < ::time(nullptr);
}

} // namespace

unfinished_file::unfinished_file(std::string path)
    : path_(std::move(path)),
      temporary_(temporary_name(path_)) {
  fd_ =
      ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd_ < 0)
    throw file_error(path_, "create");
  ::flock(fd_, LOCK_EX | LOCK_NB); // where there are no locks, time alone tells
}

unfinished_file::~unfinished_file() {
  if (!moved_)
    ::unlink(temporary_.c_str());
  if (fd_ >= 0)
    ::close(fd_);
}

void unfinished_file::resize(std::uint64_t size) {
  if (::ftruncate(fd_, static_cast<off_t>(size)) != 0)
    throw file_error(path_, "size");
}

void unfinished_file::write_at(std::uint64_t position,
                               std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(position));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      throw file_error(path_, "write");
    position += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void unfinished_file::move_into_place() {
  if (::close(std::exchange(fd_, -1)) != 0)
    throw file_error(path_, "close");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0)
    throw file_error(path_, "move into place");
  moved_ = true;
}

std::string_view path_of_unfinished(std::string_view name) {
  const auto at = name.rfind(mark);
  const bool numbered =
      at != name.npos &&
      name.find_first_not_of("0123456789.", at + mark.size()) == name.npos;
  return numbered ? name.substr(0, at) : std::string_view();
}

void remove_abandoned(const std::string &path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return;
  if (written_long_ago(fd) && ::flock(fd, LOCK_EX | LOCK_NB) == 0)
    ::unlink(path.c_str());
  ::close(fd);
}

} // namespace ganglion::runtime
