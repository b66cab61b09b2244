// What this machine is: the line without which no figure means anything, and
// the sizes of its caches.
#pragma once

#include <cstddef>
#include <string>

namespace ganglion::benchmarks {

/// Of one core, or of the group that shares it. 0: unknown.
struct cache_sizes {
  std::size_t l1 = 0, l2 = 0, l3 = 0;
};

cache_sizes read_cache_sizes();

/// Bytes of memory, all and not in use.
std::size_t memory_total();
std::size_t memory_available();

/// Load average of the last minute: above 0, others may have been at work.
double load_average();

/// "AMD EPYC (family 26 model 2), 2 CPUs allowed, avx512, L1d 48 KiB, ...".
std::string machine_line();

} // namespace ganglion::benchmarks
