// One plan for all compute threads of a process: which rank runs on which
// CPUs, and whether waiting threads may spin.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ganglion::runtime {

struct thread_plan {
  int threads_per_rank = 1;
  /// Every thread has a core of its own, so it may spin and is pinned.
  bool exclusive = true;
  std::vector<int> cpus; ///< what the process may use

  /// CPUs of `rank`, one per thread; empty when threads are not pinned.
  std::vector<int> cpus_of(std::int64_t rank) const;
  std::string describe(std::int64_t ranks) const;
};

/// `threads` for all ranks together; 0: one per allowed CPU.
thread_plan plan_threads(std::int64_t ranks, std::int64_t threads,
                         std::vector<int> allowed_cpus);

} // namespace ganglion::runtime
