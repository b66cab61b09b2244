// N clients that each wait for their answer before they ask again, all on one
// thread, so that measuring takes little of the machine.
#pragma once

#include "benchmarks/net/stream_client.hpp"

namespace ganglion::benchmarks {

struct load_settings {
  std::int64_t clients = 1;
  std::int64_t requests = 4;        ///< of each client
  std::int64_t prompt_length = 128; ///< characters
  std::int64_t new_tokens = 64;
  duration limit = std::chrono::seconds(120); ///< of the whole round
};

struct load_result {
  client_samples samples;
  double seconds = 0; ///< from the first request to the last line
};

/// A prompt of `length` letters and spaces, another one for each `number`.
std::string prompt_text(std::int64_t length, std::uint64_t number);

/// Runs one round. Throws what clients throw, and `timed_out` when the round
/// exceeds its limit.
load_result run_closed_loop(const endpoint &server, const load_settings &s);

} // namespace ganglion::benchmarks
