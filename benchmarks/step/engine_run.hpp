// The same work through the engine's actors: when tokens reach the sinks.
#pragma once

#include "actors/engine.hpp"

#include <vector>

namespace ganglion::benchmarks {

struct engine_sample {
  double first_token = 0; ///< nanoseconds from submission, of the first request
  /// Nanoseconds per step while all requests decode together: time per token,
  /// times their number.
  double step = 0;
};

/// Submits all requests at once and waits for their ends. Throws the error of
/// a request that failed, and `internal` when they never decode together.
engine_sample run_together(engine &e,
                           const std::vector<generation_request> &requests);

} // namespace ganglion::benchmarks
