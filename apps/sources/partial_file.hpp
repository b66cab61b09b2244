// A file that arrives piece by piece and survives the process that began it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ganglion::apps {

/// "PATH.VERSION.incomplete" until it is moved to its path. Locked, so that
/// two processes do not write the same one.
class partial_file {
public:
  /// Opens what an earlier process left, or an empty one, and makes the
  /// directory. Throws `unavailable` naming the path, as the others do.
  partial_file(std::string path, const std::string &version);
  ~partial_file();
  partial_file(const partial_file &) = delete;
  partial_file &operator=(const partial_file &) = delete;

  const std::string &path() const { return temporary_; }
  std::uint64_t size() const { return size_; }

  void append(std::string_view bytes);
  void clear();
  void move_into_place();

private:
  [[noreturn]] void fail(const char *what) const;

  std::string path_, temporary_;
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

} // namespace ganglion::apps
