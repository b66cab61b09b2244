// A file that is being written beside the place it will have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ganglion::runtime {

/// Appears at its path when it is complete, or never: until then it has a name
/// of its own, locked, so that others can tell it from one whose writer died.
class unfinished_file {
public:
  /// Creates it. Throws `not_found` or `unavailable` naming `path`.
  explicit unfinished_file(std::string path);
  unfinished_file(const unfinished_file &) = delete;
  unfinished_file &operator=(const unfinished_file &) = delete;
  /// Removes it unless it was moved into place.
  ~unfinished_file();

  const std::string &path() const { return path_; }

  /// Throws `unavailable` naming the path, as the others do.
  void resize(std::uint64_t size);
  /// Any thread; pieces must not overlap.
  void write_at(std::uint64_t position, std::span<const std::byte> bytes);
  /// Over what was there before.
  void move_into_place();

private:
  std::string path_, temporary_;
  int fd_ = -1;
  bool moved_ = false;
};

/// The path that an unfinished file of this name was written for; empty for
/// other names.
std::string_view path_of_unfinished(std::string_view name);

/// Removes an unfinished file that nobody writes any more.
void remove_abandoned(const std::string &path);

} // namespace ganglion::runtime
