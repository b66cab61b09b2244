#include "hlo/support/aligned_buffer.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace ganglion {

namespace {

/// From here on pages come straight from the system: zero without touching
/// them, and eligible for huge pages.
constexpr std::size_t mapped_from = std::size_t{4} << 20;

std::byte *map_pages(std::size_t size) {
  void *p = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    throw std::bad_alloc();
  madvise(p, size, MADV_HUGEPAGE);
  return static_cast<std::byte *>(p);
}

std::byte *allocate_zeroed(std::size_t size) {
  const std::size_t rounded =
      (size + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
  void *p = std::aligned_alloc(buffer_alignment, rounded);
  if (!p)
    throw std::bad_alloc();
  std::memset(p, 0, rounded);
  return static_cast<std::byte *>(p);
}

} // namespace

aligned_buffer::aligned_buffer(std::size_t size) : size_(size) {
  if (size >= mapped_from)
    data_ = map_pages(size);
  else if (size > 0)
    data_ = allocate_zeroed(size);
}

void aligned_buffer::release() {
  if (size_ >= mapped_from)
    munmap(data_, size_);
  else
    std::free(data_);
}

} // namespace ganglion
