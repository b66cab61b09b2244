// Counts heap allocations of the whole program: linking this replaces operator
// new.
#pragma once

#include <cstdint>

namespace ganglion::benchmarks {

/// Calls of operator new so far, by all threads.
std::uint64_t allocations();

} // namespace ganglion::benchmarks
