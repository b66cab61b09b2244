// CPU time and context switches of a process, summed over its threads.
#pragma once

#include <cstdint>

namespace ganglion::benchmarks {

struct process_usage {
  std::int64_t cpu_nanoseconds = 0;
  /// Times a thread gave up its CPU to wait: each is one wake-up later.
  std::int64_t voluntary_switches = 0;
  std::int64_t involuntary_switches = 0;
  std::int64_t threads = 0;
};

/// Reads /proc; 0 means this process. Threads that ended are not in it. Throws
/// `not_found` when there is no such process.
process_usage usage_of(std::int64_t pid);

} // namespace ganglion::benchmarks
