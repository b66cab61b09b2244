// Counts what the whole test program takes from the heap.
#pragma once

namespace ganglion::testing {

/// Calls of operator new so far, by all threads.
long heap_calls();

} // namespace ganglion::testing
