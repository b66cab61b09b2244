// One client of the closed loop: sends a request, stamps the lines of its
// streamed answer, and starts over.
#pragma once

#include "benchmarks/net/loopback_socket.hpp"
#include "benchmarks/net/response_reader.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace ganglion::benchmarks {

/// What clients saw; milliseconds.
struct client_samples {
  std::vector<double> first_token; ///< from sending to the first line
  std::vector<double> gap;         ///< between lines
  std::vector<double> request;     ///< from sending to the last line
  std::size_t tokens = 0;
};

/// A GET request.
std::string get_request(const endpoint &server, const std::string &target);
/// A POST of a JSON body to /invocations.
std::string invocation_request(const endpoint &server, const std::string &body);

class stream_client {
public:
  /// `next` gives the next request's body, or nothing when enough were sent.
  stream_client(endpoint server,
                std::function<std::optional<std::string>()> next);

  /// Sends the next request if there is one.
  void start(time_point deadline);
  bool busy() const { return busy_; }
  int descriptor() const { return socket_->descriptor(); }

  /// Reads what has come; at the end of an answer the next request is sent.
  /// Throws `unavailable` for an answer that is an error or breaks off.
  void read(time_point deadline, client_samples &into);

private:
  void take_lines(std::string_view body, client_samples &into);
  void finish(client_samples &into);

  endpoint server_;
  std::function<std::optional<std::string>()> next_;
  std::optional<loopback_socket> socket_;
  response_reader reader_;
  std::string line_;
  time_point sent_, last_line_;
  std::size_t lines_ = 0;
  bool busy_ = false;
};

} // namespace ganglion::benchmarks
