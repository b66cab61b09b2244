// How guesses of next tokens (speculation) fared.
#pragma once

#include <cstdint>

namespace ganglion::runtime {

/// Guesses that steps judged, and those of them that were right.
struct guess_counts {
  std::int64_t judged = 0, held = 0;
};

} // namespace ganglion::runtime
