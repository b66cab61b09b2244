// A server that the benchmark starts on a free port and ends again.
#pragma once

#include "benchmarks/net/loopback_socket.hpp"

#include <string>
#include <vector>

#include <sys/types.h>

namespace ganglion::benchmarks {

class server_process {
public:
  /// Runs `program serve --port 0 ARGUMENTS...` and reads the port from its
  /// output. Throws `unavailable` when it ends or says nothing within
  /// `limit`.
  server_process(const std::string &program,
                 const std::vector<std::string> &arguments, duration limit);
  /// Asks it to end and, after a while, makes it.
  ~server_process();
  server_process(const server_process &) = delete;
  server_process &operator=(const server_process &) = delete;

  const endpoint &address() const { return address_; }

private:
  void read_address(int output, time_point deadline);
  void stop();

  pid_t process_ = -1;
  int output_ = -1;
  endpoint address_;
};

/// Asks GET /ping until it answers "Healthy". Throws `timed_out`.
void wait_until_healthy(const endpoint &server, time_point deadline);

/// The endpoint in a line with "http://HOST:PORT"; port 0 when there is none.
endpoint endpoint_in(const std::string &line);

} // namespace ganglion::benchmarks
