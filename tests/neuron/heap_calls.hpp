// Counts what the whole test program takes from the heap.
#pragma once

namespace ganglion::testing {

// Sanitizers bring their own operator new, which must not be mixed with ours.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool heap_calls_are_counted = false;
#else
constexpr bool heap_calls_are_counted = true;
#endif

/// Calls of operator new so far, by all threads; 0 when they are not counted.
long heap_calls();

} // namespace ganglion::testing
