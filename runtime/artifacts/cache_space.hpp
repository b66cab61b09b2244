// The space that a directory of artefacts takes: which of them are in use, and
// which may go.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace ganglion::runtime {

/// Remembers that a file was used now.
void mark_used(const std::string &path);

/// Bytes that the artefacts in `directory` take after those used longest ago
/// were removed, until they take at most `limit`. Stays above it for what any
/// process has locked. Other files are left alone.
std::uint64_t trim_artifacts(const std::string &directory, std::uint64_t limit);

/// Removes what writers of artefacts left who were killed.
void remove_abandoned_artifacts(const std::string &directory);

/// A cache's space as one process knows it. Any thread.
class cache_space {
public:
  /// `limit` bytes; 0: no limit.
  cache_space(std::string directory, std::uint64_t limit)
      : directory_(std::move(directory)),
        limit_(limit) {}
  cache_space(const cache_space &) = delete;
  cache_space &operator=(const cache_space &) = delete;
  ~cache_space();

  /// Keeps the artefact with this manifest from being removed by anybody, and
  /// marks it as used, for as long as this object lives.
  void hold(const std::string &manifest);

private:
  friend class reserved_space;
  bool reserve(std::uint64_t bytes);
  void release(std::uint64_t bytes);

  std::string directory_;
  std::uint64_t limit_;
  std::mutex mutex_;
  std::uint64_t reserved_ = 0;      ///< being written
  std::map<std::string, int> held_; ///< locked manifests
};

/// Room for an artefact that is about to be written; counts until it is
/// destroyed.
class reserved_space {
public:
  reserved_space(cache_space &space, std::uint64_t bytes)
      : space_(space),
        bytes_(bytes),
        reserved_(space.reserve(bytes)) {}
  reserved_space(const reserved_space &) = delete;
  reserved_space &operator=(const reserved_space &) = delete;
  ~reserved_space() {
    if (reserved_)
      space_.release(bytes_);
  }

  /// False where there is none beside the artefacts that are in use.
  explicit operator bool() const { return reserved_; }

private:
  cache_space &space_;
  std::uint64_t bytes_;
  bool reserved_;
};

} // namespace ganglion::runtime
