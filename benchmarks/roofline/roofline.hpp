// Measures what the machine gives: arithmetic per type, and bytes per second
// from each level of memory, with any number of pinned threads.
#pragma once

#include "benchmarks/roofline/probe_kernels.hpp"
#include "hlo/support/aligned_buffer.hpp"
#include "neuron/cpu/thread_team.hpp"

#include <memory>
#include <thread>
#include <vector>

namespace ganglion::benchmarks {

/// Runs `work(member)` on `threads` pinned threads at once and returns the
/// nanoseconds from the common start to the last end. The calling thread's
/// placement is not touched.
double time_together(int threads, const std::function<void(int)> &work);

/// One sample of `kernel`, in operations per second of all threads together.
double measure_peak(const peak_kernel &kernel, int threads);

/// Buffers for reading, one for each thread, touched by the thread that reads
/// it: nothing is shared, each is one sequential stream.
class read_probe {
public:
  /// `total` bytes over all threads. The probe may read less than was
  /// allocated: see `measure`.
  read_probe(const probe_kernels &kernels, int threads, std::size_t total);

  /// One sample in bytes per second of all threads together, reading the same
  /// first `total` bytes again and again for a few milliseconds at least.
  double measure(std::size_t total) const;
  int threads() const { return static_cast<int>(buffers_.size()); }

private:
  const probe_kernels &kernels_;
  std::vector<aligned_buffer> buffers_;
};

/// Bytes that are surely read from DRAM, as far as memory goes: many times the
/// last cache.
std::size_t dram_probe_bytes();

} // namespace ganglion::benchmarks
