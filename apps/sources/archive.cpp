#include "apps/sources/archive.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/plain_file_name.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <unistd.h>

namespace ganglion::apps {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view endings[] = {".tar.gz", ".tgz", ".tar", ".zip"};

struct archive_closer {
  void operator()(archive *a) const { archive_read_free(a); }
};
using open_archive = std::unique_ptr<archive, archive_closer>;

/// Removes a directory unless it was moved to its place.
class unfinished_directory {
public:
  explicit unfinished_directory(const std::string &place)
      : place_(place),
        path_(place + ".unpacking-" + std::to_string(::getpid())) {
    remove();
    runtime::make_directories(path_);
  }
  ~unfinished_directory() { remove(); }
  unfinished_directory(const unfinished_directory &) = delete;
  unfinished_directory &operator=(const unfinished_directory &) = delete;

  const std::string &path() const { return path_; }

  void move_into_place() const {
    std::error_code failed;
    fs::rename(path_, place_, failed);
    if (failed && !fs::is_directory(place_)) // else another process was first
      throw error(error_code::unavailable,
                  "cannot move into place: " + failed.message(), place_);
  }

private:
  void remove() const {
    std::error_code ignored; // nothing is there, or nothing can be done
    fs::remove_all(path_, ignored);
  }

  std::string place_, path_;
};

/// A file that is being written.
class output_file {
public:
  explicit output_file(const std::string &path)
      : path_(path),
        fd_(::open(path.c_str(),
                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                   0644)) {
    if (fd_ < 0)
      fail();
  }
  ~output_file() { ::close(fd_); }
  output_file(const output_file &) = delete;
  output_file &operator=(const output_file &) = delete;

  void write_at(std::int64_t position, const char *bytes, std::size_t size) {
    while (size > 0) {
      const auto n = ::pwrite(fd_, bytes, size, position);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        fail();
      position += n;
      bytes += n;
      size -= static_cast<std::size_t>(n);
    }
  }

private:
  [[noreturn]] void fail() const {
    throw error(error_code::unavailable,
                std::string("cannot write: ") + std::strerror(errno), path_);
  }

  std::string path_;
  int fd_;
};

class unpacker {
public:
  unpacker(const std::string &archive, const archive_limits &limits)
      : name_(archive),
        limits_(limits),
        archive_(archive_read_new()) {
    auto *a = archive_.get();
    archive_read_support_filter_gzip(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_zip(a);
    constexpr std::size_t block = std::size_t{1} << 20;
    if (archive_read_open_filename(a, archive.c_str(), block) != ARCHIVE_OK)
      throw error(fs::exists(archive) ? error_code::corrupt_data
                                      : error_code::not_found,
                  reason(), name_);
  }

  void into(const std::string &directory) {
    archive_entry *entry = nullptr;
    std::uint64_t entries = 0;
    for (;;) {
      const int result = archive_read_next_header(archive_.get(), &entry);
      if (result == ARCHIVE_EOF)
        return;
      if (result != ARCHIVE_OK)
        throw error(error_code::corrupt_data, reason(), name_);
      if (++entries > limits_.entries)
        throw error(error_code::corrupt_data,
                    "has more than " + std::to_string(limits_.entries) +
                        " entries",
                    name_);
      take(entry, directory);
    }
  }

private:
  void take(archive_entry *entry, const std::string &directory) {
    const char *path = archive_entry_pathname(entry);
    const std::string name = path == nullptr ? "" : path;
    const auto place = fs::path(directory) / inside(name);
    const auto type = archive_entry_filetype(entry);
    if (archive_entry_hardlink(entry) != nullptr ||
        archive_entry_symlink(entry) != nullptr ||
        (type != AE_IFREG && type != AE_IFDIR))
      refuse(name, "is a link or a device; accepted: files and directories");
    if (type == AE_IFDIR)
      return runtime::make_directories(place.string());
    runtime::make_directories(place.parent_path().string());
    if (fs::exists(place))
      refuse(name, "is there twice");
    copy(name, place.string());
  }

  /// The path, when it only goes down.
  fs::path inside(const std::string &name) const {
    fs::path out;
    for (const auto &part : fs::path(name)) {
      const auto text = part.string();
      if (text == "." || text.empty())
        continue;
      if (!runtime::is_plain_file_name(text))
        refuse(name, "leads out of the archive");
      out /= part;
    }
    return out;
  }

  void copy(const std::string &name, const std::string &place) {
    output_file out(place);
    for (;;) {
      const void *bytes = nullptr;
      std::size_t size = 0;
      std::int64_t position = 0;
      const int result =
          archive_read_data_block(archive_.get(), &bytes, &size, &position);
      if (result == ARCHIVE_EOF)
        return;
      if (result != ARCHIVE_OK)
        refuse(name, reason());
      written_ += size;
      const auto end = static_cast<std::uint64_t>(position) + size;
      if (std::max(written_, end) > limits_.bytes) // holes count as well
        refuse(name, "makes the model larger than model_size_limit, " +
                         std::to_string(limits_.bytes) + " bytes");
      out.write_at(position, static_cast<const char *>(bytes), size);
    }
  }

  std::string reason() const {
    const char *text = archive_error_string(archive_.get());
    return text == nullptr ? "is no archive that can be read" : text;
  }

  [[noreturn]] void refuse(const std::string &entry,
                           const std::string &why) const {
    throw error(error_code::corrupt_data, "'" + entry + "' " + why, name_);
  }

  std::string name_;
  archive_limits limits_;
  open_archive archive_;
  std::uint64_t written_ = 0;
};

} // namespace

bool is_archive_name(std::string_view name) {
  return without_archive_ending(name).size() != name.size();
}

std::string_view without_archive_ending(std::string_view name) {
  for (const auto ending : endings)
    if (name.size() > ending.size() && name.ends_with(ending))
      return name.substr(0, name.size() - ending.size());
  return name;
}

void unpack_archive(const std::string &archive, const std::string &directory,
                    const archive_limits &limits) {
  unpacker from(archive, limits);
  const unfinished_directory unfinished(directory);
  from.into(unfinished.path());
  unfinished.move_into_place();
}

} // namespace ganglion::apps
