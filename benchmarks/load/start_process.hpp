// A start of an engine in a process of its own: only that has a peak of memory
// of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ganglion::benchmarks {

struct start_figures {
  double ready = 0;       ///< seconds from construction to ready
  double first_token = 0; ///< seconds from construction to the first token
  std::int64_t peak = 0;  ///< bytes resident at most, mapped files included
  std::int64_t compilations = 0;
};

/// Runs this program as `load --once` with `arguments` and reads its report.
/// Throws `internal` when it fails.
start_figures start_elsewhere(const std::vector<std::string> &arguments);

/// Most bytes that were resident in this process.
std::int64_t peak_resident();
/// Lets that be measured anew from here on.
void forget_peak();

} // namespace ganglion::benchmarks
