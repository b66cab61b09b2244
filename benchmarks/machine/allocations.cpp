#include "benchmarks/machine/allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> count{0};

void *counted(std::size_t size, std::size_t alignment) {
  count.fetch_add(1, std::memory_order_relaxed);
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void *memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(size ? size : 1)
                     : std::aligned_alloc(alignment, whole ? whole : alignment);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

} // namespace

// The array and nothrow forms of the standard library call these.
void *operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void *operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace ganglion::benchmarks {

std::uint64_t allocations() { return count.load(std::memory_order_relaxed); }

} // namespace ganglion::benchmarks
