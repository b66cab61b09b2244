#include "runtime/artifacts/cache_space.hpp"

#include "hlo/support/log.hpp"
#include "runtime/checkpoint/unfinished_file.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ganglion::runtime {

namespace {

namespace fs = std::filesystem;

/// The part before the extension of a name that an artefact or a manifest has;
/// nothing for other files: a cache may be in a directory of somebody's.
std::optional<std::string> artifact_stem(const std::string &name) {
  const auto dash = name.find('-'), dot = name.find('.');
  if (dot == name.npos || dash > dot || dot - dash - 1 != 32 ||
      name.find_first_not_of("0123456789abcdef", dash + 1) != dot)
    return std::nullopt;
  const auto kind = name.substr(0, dash), extension = name.substr(dot);
  const bool known = kind == "program" || kind == "weights" || kind == "digest";
  if (!known ||
      (extension != ".json" && extension != ".hlo" && extension != ".weights"))
    return std::nullopt;
  return name.substr(0, dot);
}

/// An artefact and its manifest, or what there is of them.
struct kept_files {
  std::vector<std::string> names;
  std::uint64_t bytes = 0;
  std::int64_t used = 0; ///< nanoseconds since 1970
};

std::int64_t time_used(const struct stat &info) {
  return std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 +
         info.st_mtim.tv_nsec;
}

std::map<std::string, kept_files> kept_in(const std::string &directory) {
  std::map<std::string, kept_files> out;
  std::error_code ignored; // what cannot be seen takes no space
  for (const auto &entry : fs::directory_iterator(directory, ignored)) {
    const auto name = entry.path().filename().string();
    struct stat info {};
    const auto stem = artifact_stem(name);
    if (!stem || ::lstat(entry.path().c_str(), &info) != 0 ||
        !S_ISREG(info.st_mode))
      continue;
    auto &files = out[*stem];
    files.names.push_back(name);
    files.bytes += static_cast<std::uint64_t>(info.st_size);
    files.used = std::max(files.used, time_used(info));
  }
  return out;
}

/// Removes an artefact unless somebody holds it; the manifest goes first.
bool remove_unless_held(const std::string &directory, const std::string &stem,
                        const kept_files &files) {
  const std::string manifest = directory + "/" + stem + ".json";
  const int fd = ::open(manifest.c_str(), O_RDONLY | O_CLOEXEC);
  const bool free = fd < 0 || ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  if (free) {
    ::unlink(manifest.c_str());
    for (const auto &name : files.names)
      ::unlink((directory + "/" + name).c_str());
    log::info("{}: {} removed, {} bytes", directory, stem, files.bytes);
  }
  if (fd >= 0)
    ::close(fd);
  return free;
}

} // namespace

void mark_used(const std::string &path) {
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}

std::uint64_t trim_artifacts(const std::string &directory,
                             std::uint64_t limit) {
  const auto kept = kept_in(directory);
  std::vector<std::map<std::string, kept_files>::const_iterator> oldest;
  std::uint64_t total = 0;
  for (auto i = kept.begin(); i != kept.end(); ++i) {
    oldest.push_back(i);
    total += i->second.bytes;
  }
  std::ranges::stable_sort(oldest, {}, [](auto i) { return i->second.used; });
  for (const auto &i : oldest) {
    if (total <= limit)
      break;
    if (remove_unless_held(directory, i->first, i->second))
      total -= i->second.bytes;
  }
  return total;
}

void remove_abandoned_artifacts(const std::string &directory) {
  std::error_code ignored; // what cannot be seen is not there
  for (const auto &entry : fs::directory_iterator(directory, ignored)) {
    const auto name = entry.path().filename().string();
    if (artifact_stem(std::string(path_of_unfinished(name))))
      remove_abandoned(entry.path().string());
  }
}

cache_space::~cache_space() {
  for (const auto &[path, fd] : held_)
    ::close(fd);
}

void cache_space::hold(const std::string &manifest) {
  const std::lock_guard lock(mutex_);
  if (held_.contains(manifest))
    return;
  const int fd = ::open(manifest.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  ::flock(fd, LOCK_SH | LOCK_NB); // held for a moment by who removes it
  mark_used(manifest);
  held_[manifest] = fd;
}

bool cache_space::reserve(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t coming = reserved_ + bytes;
  if (limit_ > 0 &&
      (coming > limit_ ||
       trim_artifacts(directory_, limit_ - coming) > limit_ - coming))
    return false;
  reserved_ = coming;
  return true;
}

void cache_space::release(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  reserved_ -= bytes;
}

} // namespace ganglion::runtime
