#include "benchmarks/net/stream_client.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::benchmarks {

namespace {

double milliseconds(duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

std::string host_header(const endpoint &server) {
  return "Host: " + server.host + ":" + std::to_string(server.port) + "\r\n";
}

} // namespace

std::string get_request(const endpoint &server, const std::string &target) {
  return "GET " + target + " HTTP/1.1\r\n" + host_header(server) + "\r\n";
}

std::string invocation_request(const endpoint &server,
                               const std::string &body) {
  return "POST /invocations HTTP/1.1\r\n" + host_header(server) +
         "Content-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

stream_client::stream_client(endpoint server,
                             std::function<std::optional<std::string>()> next)
    : server_(std::move(server)),
      next_(std::move(next)) {}

void stream_client::start(time_point deadline) {
  const auto body = next_();
  busy_ = body.has_value();
  if (!busy_)
    return;
  if (!socket_)
    socket_.emplace(server_);
  reader_ = {};
  line_.clear();
  lines_ = 0;
  sent_ = last_line_ = steady_clock().now();
  socket_->send(invocation_request(server_, *body), deadline);
}

void stream_client::read(time_point deadline, client_samples &into) {
  char buffer[16 << 10];
  const auto n = socket_->receive(buffer, sizeof buffer);
  if (n < 0)
    return;
  if (n == 0)
    throw error(error_code::unavailable, "the server closed the connection",
                "POST /invocations");
  take_lines(reader_.feed({buffer, static_cast<std::size_t>(n)}), into);
  if (!reader_.done())
    return;
  finish(into);
  if (!reader_.keeps_open())
    socket_.reset();
  start(deadline);
}

void stream_client::take_lines(std::string_view body, client_samples &into) {
  const time_point now = steady_clock().now();
  if (reader_.status() != 200) { // an error's text, shown when it is whole
    line_ += body;
    return;
  }
  for (const char c : body) {
    if (c != '\n') {
      line_ += c;
      continue;
    }
    // The contract's lines all begin so; parsing each would take time from
    // the server, which shares the machine.
    if (!line_.starts_with("{\"token\""))
      throw error(error_code::unavailable, line_, "POST /invocations");
    (lines_ == 0 ? into.first_token : into.gap)
        .push_back(milliseconds(now - last_line_));
    last_line_ = now;
    ++lines_;
    line_.clear();
  }
}

void stream_client::finish(client_samples &into) {
  if (reader_.status() != 200 || !line_.empty() || lines_ == 0)
    throw error(error_code::unavailable,
                "status " + std::to_string(reader_.status()) + ": " + line_,
                "POST /invocations");
  into.request.push_back(milliseconds(last_line_ - sent_));
  into.tokens += lines_;
}

} // namespace ganglion::benchmarks
