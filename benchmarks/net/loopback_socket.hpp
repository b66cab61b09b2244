// A TCP connection to a server on this machine.
#pragma once

#include "hlo/support/clock.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ganglion::benchmarks {

/// Where a server listens; loopback addresses only.
struct endpoint {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
};

/// Not blocking, for use by one thread.
class loopback_socket {
public:
  /// Connects. Throws `invalid_argument` for a host that is not loopback and
  /// `unavailable` with the reason when nobody listens.
  explicit loopback_socket(const endpoint &server);
  ~loopback_socket();
  loopback_socket(loopback_socket &&other) noexcept;
  loopback_socket &operator=(loopback_socket &&) = delete;

  int descriptor() const { return descriptor_; }

  /// Sends all, waiting for room until `deadline`. Throws `timed_out` or
  /// `unavailable`.
  void send(std::string_view bytes, time_point deadline);

  /// What has arrived, into `buffer`: the number of bytes, 0 at the end of the
  /// stream, -1 when there is nothing yet. Throws `unavailable`.
  std::int64_t receive(char *buffer, std::size_t size);

  /// Waits until there is something to read; false when `deadline` passed.
  bool wait_readable(time_point deadline) const;

private:
  int descriptor_;
};

/// Milliseconds until `deadline` for poll(2), at least 0.
int milliseconds_until(time_point deadline);

} // namespace ganglion::benchmarks
