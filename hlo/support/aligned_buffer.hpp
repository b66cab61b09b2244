// Owned memory aligned for the widest vector registers and cache lines.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace ganglion {

inline constexpr std::size_t buffer_alignment = 64;

/// A block of bytes, zeroed, aligned to 64 (large ones to a page, taken from
/// the system lazily). Moves, never copies. Throws std::bad_alloc.
class aligned_buffer {
public:
  aligned_buffer() = default;
  explicit aligned_buffer(std::size_t size);
  ~aligned_buffer() { release(); }
  aligned_buffer(aligned_buffer &&other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  aligned_buffer &operator=(aligned_buffer &&other) noexcept {
    if (this != &other) {
      release();
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }

  std::byte *data() { return data_; }
  const std::byte *data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<std::byte> bytes() { return {data_, size_}; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }

private:
  void release();

  std::byte *data_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace ganglion
