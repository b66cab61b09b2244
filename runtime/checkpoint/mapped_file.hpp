// A whole file mapped read-only into memory for as long as the object lives.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace ganglion::runtime {

/// Movable; the bytes stay where they are when the object moves. Any thread
/// may read. The file must not be shortened while it is mapped.
class mapped_file {
public:
  /// Throws `not_found`, `invalid_argument` (no regular file) or
  /// `unavailable` (no permission, no address space).
  static mapped_file open(const std::string &path);

  mapped_file() = default;
  mapped_file(mapped_file &&other) noexcept;
  mapped_file &operator=(mapped_file &&other) noexcept;
  mapped_file(const mapped_file &) = delete;
  mapped_file &operator=(const mapped_file &) = delete;
  ~mapped_file();

  std::span<const std::byte> bytes() const { return bytes_; }

private:
  std::span<const std::byte> bytes_;
};

} // namespace ganglion::runtime
