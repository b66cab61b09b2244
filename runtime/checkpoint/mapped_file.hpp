// A whole file mapped read-only into memory for as long as the object lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ganglion::runtime {

/// Which file it was, in which state: equal numbers mean equal bytes, unless
/// somebody sets the clock back.
struct file_identity {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t modified = 0, changed = 0; ///< nanoseconds since 1970
  friend bool operator==(const file_identity &,
                         const file_identity &) = default;
};

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
  /// As it was when it was opened.
  const file_identity &identity() const { return identity_; }

  /// Takes the pages within `part` out of this process; reading brings them
  /// back. Nothing when `part` is not of this file.
  void release(std::span<const std::byte> part) const;
  /// Tells the system that all bytes will be read soon.
  void prefetch() const;

private:
  std::span<const std::byte> bytes_;
  file_identity identity_;
};

} // namespace ganglion::runtime
