// Owned memory aligned for the widest vector registers and cache lines.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace ganglion {

inline constexpr std::size_t buffer_alignment = 64;

/// A block of bytes, zeroed, aligned to 64. Moves, never copies.
class aligned_buffer {
public:
  aligned_buffer() = default;
  explicit aligned_buffer(std::size_t size) : size_(size) {
    if (size == 0)
      return;
    const std::size_t rounded =
        (size + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
    data_.reset(static_cast<std::byte *>(
        std::aligned_alloc(buffer_alignment, rounded)));
    if (!data_)
      throw std::bad_alloc();
    std::memset(data_.get(), 0, rounded);
  }

  std::byte *data() { return data_.get(); }
  const std::byte *data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::span<std::byte> bytes() { return {data_.get(), size_}; }
  std::span<const std::byte> bytes() const { return {data_.get(), size_}; }

private:
  struct free_deleter {
    void operator()(std::byte *p) const { std::free(p); }
  };
  std::unique_ptr<std::byte[], free_deleter> data_;
  std::size_t size_ = 0;
};

} // namespace ganglion
