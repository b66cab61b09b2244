#include "benchmarks/net/loopback_socket.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ganglion::benchmarks {

namespace {

[[noreturn]] void fail(const std::string &what) {
  throw error(error_code::unavailable,
              what + ": " + std::string(std::strerror(errno)), "connection");
}

sockaddr_in address_of(const endpoint &server) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(server.port);
  const std::string host =
      server.host == "localhost" ? "127.0.0.1" : server.host;
  if (!host.starts_with("127.") ||
      ::inet_pton(AF_INET, host.c_str(), &out.sin_addr) != 1)
    throw error(error_code::invalid_argument,
                "'" + server.host +
                    "' is not a loopback address; accepted: 127.0.0.1, "
                    "localhost",
                "command line", "--host");
  return out;
}

} // namespace

int milliseconds_until(time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      deadline - steady_clock().now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
}

loopback_socket::loopback_socket(const endpoint &server) : descriptor_(-1) {
  const sockaddr_in address = address_of(server);
  descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0)
    fail("cannot make a socket");
  if (::connect(descriptor_, reinterpret_cast<const sockaddr *>(&address),
                sizeof address) != 0) {
    const int reason = errno;
    ::close(descriptor_);
    errno = reason;
    fail("cannot connect to port " + std::to_string(server.port));
  }
  const int on = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::fcntl(descriptor_, F_SETFL, O_NONBLOCK);
}

loopback_socket::loopback_socket(loopback_socket &&other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

loopback_socket::~loopback_socket() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

void loopback_socket::send(std::string_view bytes, time_point deadline) {
  while (!bytes.empty()) {
    const auto n =
        ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR)
      fail("cannot send");
    pollfd writable{descriptor_, POLLOUT, 0};
    if (::poll(&writable, 1, milliseconds_until(deadline)) == 0)
      throw error(error_code::timed_out, "the server takes no more bytes",
                  "connection");
  }
}

std::int64_t loopback_socket::receive(char *buffer, std::size_t size) {
  const auto n = ::recv(descriptor_, buffer, size, 0);
  if (n >= 0)
    return n;
  if (errno == EAGAIN || errno == EINTR)
    return -1;
  fail("cannot receive");
}

bool loopback_socket::wait_readable(time_point deadline) const {
  pollfd readable{descriptor_, POLLIN, 0};
  return ::poll(&readable, 1, milliseconds_until(deadline)) > 0;
}

} // namespace ganglion::benchmarks
