#include "apps/http/listener.hpp"

#include "apps/http/session.hpp"
#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"

#include <boost/asio/ip/address.hpp>

namespace ganglion::apps {

using boost::asio::ip::tcp;

namespace {

tcp::endpoint endpoint_of(const std::string &host, std::uint16_t port) {
  boost::system::error_code ec;
  const auto address = boost::asio::ip::make_address(
      host == "localhost" ? "127.0.0.1" : host, ec);
  if (ec)
    throw error(error_code::invalid_argument,
                "'" + host +
                    "' is no address; accepted: an IPv4 or IPv6 "
                    "address to listen on, or localhost",
                {}, "host");
  return {address, port};
}

tcp::acceptor open(boost::asio::io_context &context,
                   const tcp::endpoint &endpoint) {
  try {
    return {context, endpoint}; // reuses the address of a server that ended
  } catch (const boost::system::system_error &e) {
    throw error(error_code::unavailable,
                "cannot listen on port " + std::to_string(endpoint.port()) +
                    ": " + e.code().message(),
                endpoint.address().to_string(), "port");
  }
}

} // namespace

http_listener::http_listener(boost::asio::io_context &context,
                             const std::string &host, std::uint16_t port,
                             http_service service)
    : service_(std::move(service)),
      acceptor_(open(context, endpoint_of(host, port))),
      retry_(context),
      tick_(context) {}

http_listener::~http_listener() { abort(); }

std::uint16_t http_listener::port() const {
  return acceptor_.local_endpoint().port();
}

std::string http_listener::address() const {
  const auto endpoint = acceptor_.local_endpoint();
  const auto host = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" +
         std::to_string(endpoint.port());
}

std::string http_listener::url() const {
  return (service_.tls ? "https://" : "http://") + address();
}

void http_listener::start() { accept(); }

void http_listener::accept() {
  if (accepting_ || !acceptor_.is_open() || open_ >= service_.limits.sessions)
    return;
  accepting_ = true;
  acceptor_.async_accept(
      [this](const boost::system::error_code &ec, tcp::socket socket) {
        accepting_ = false;
        if (ec == boost::asio::error::operation_aborted)
          return;
        if (!ec) {
          add(std::move(socket));
          return accept();
        }
        // Out of descriptors, most likely: give sessions time to end.
        log::warn("cannot accept a connection: {}", ec.message());
        retry_.expires_after(std::chrono::milliseconds(100));
        retry_.async_wait([this](const boost::system::error_code &cancelled) {
          if (!cancelled)
            accept();
        });
      });
}

void http_listener::add(tcp::socket socket) {
  std::erase_if(sessions_, [](const auto &s) { return s.expired(); });
  auto stream = service_.tls ? tls_stream(std::move(socket), *service_.tls)
                             : plain_stream(std::move(socket));
  const auto session = std::make_shared<http_session>(
      std::move(stream), service_, [this, alive = std::weak_ptr<int>(alive_)] {
        if (!alive.expired()) // else the context is being destroyed
          ended();
      });
  sessions_.push_back(session);
  ++open_;
  session->start();
  tick();
}

/// As long as there are connections.
void http_listener::tick() {
  constexpr std::chrono::milliseconds interval{100};
  if (std::exchange(ticking_, true))
    return;
  tick_.expires_after(interval);
  tick_.async_wait([this](const boost::system::error_code &ec) {
    ticking_ = false;
    if (ec)
      return;
    look_at_clock();
    if (open_ > 0)
      tick();
  });
}

void http_listener::look_at_clock() {
  for (const auto &session : live())
    session->look_at_clock();
}

void http_listener::ended() {
  --open_;
  accept();
  if (open_ == 0)
    if (const auto tell = std::exchange(on_empty_, {}))
      tell();
}

std::vector<std::shared_ptr<http_session>> http_listener::live() {
  std::vector<std::shared_ptr<http_session>> out;
  for (const auto &weak : sessions_)
    if (auto session = weak.lock())
      out.push_back(std::move(session));
  return out;
}

void http_listener::drain(std::function<void()> on_empty) {
  boost::system::error_code ignored; // closing is all that can be done
  acceptor_.close(ignored);
  retry_.cancel();
  if (open_ == 0)
    return on_empty();
  on_empty_ = std::move(on_empty);
  for (const auto &session : live())
    session->drain();
}

void http_listener::abort() {
  boost::system::error_code ignored; // closing is all that can be done
  acceptor_.close(ignored);
  retry_.cancel();
  for (const auto &session : live())
    session->abort();
}

} // namespace ganglion::apps
