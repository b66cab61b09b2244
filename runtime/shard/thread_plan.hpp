// One plan for all compute threads of a process: which rank runs on which
// CPUs, and whether waiting threads may spin.
#pragma once

#include <cstddef>
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

/// What to ask `plan_threads` for: `configured`, or when that is 0 one thread
/// per rank for models so small that barriers cost more than a second thread
/// saves, and 0 (all CPUs) for the rest.
std::int64_t threads_for(std::int64_t configured, std::int64_t ranks,
                         std::size_t weight_bytes_per_rank);

/// `threads` for all ranks together; 0: one per allowed CPU, but no more than
/// `most_per_rank` of a rank if that is not 0.
thread_plan plan_threads(std::int64_t ranks, std::int64_t threads,
                         std::vector<int> allowed_cpus,
                         std::int64_t most_per_rank = 0);

/// The share that `visible` cores, of `cores` that a machine has, are of its
/// CPUs: all of them for no core named. No core is without a CPU; where there
/// are fewer CPUs, cores share them.
std::vector<int> cpus_of_cores(const std::vector<std::int64_t> &visible,
                               std::int64_t cores,
                               const std::vector<int> &allowed_cpus);

} // namespace ganglion::runtime
