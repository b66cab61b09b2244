// What a connection may cost: sizes, times and numbers, all bounded.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace ganglion::apps {

struct http_limits {
  std::size_t sessions = 1024; ///< beyond it, connections wait in the backlog
  std::uint32_t header_bytes = 16 << 10;
  std::uint64_t body_bytes = 64 << 20;
  /// Of later requests, kept while one is being answered.
  std::size_t read_ahead_bytes = 64 << 10;
  /// Of a stream, waiting for the client to read them.
  std::size_t unsent_bytes = 256 << 10;
  /// The kernel's buffer for one connection; 0: the system's choice.
  int socket_send_bytes = 0;

  std::chrono::milliseconds idle{75'000};    ///< between requests
  std::chrono::milliseconds header{15'000};  ///< a greeting, a header
  std::chrono::milliseconds receive{60'000}; ///< a body
  std::chrono::milliseconds send{60'000};    ///< without any progress
  std::chrono::milliseconds linger{2'000};   ///< for a refused client to read
};

} // namespace ganglion::apps
