// Accepts connections and keeps count of them.
#pragma once

#include "apps/http/service.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <string>
#include <vector>

namespace ganglion::apps {

class http_session;

/// Belongs to the thread that runs `context`.
class http_listener {
public:
  /// Binds and listens; port 0 is any free one. Throws `unavailable` (field
  /// port) or `invalid_argument` (field host).
  http_listener(boost::asio::io_context &context, const std::string &host,
                std::uint16_t port, http_service service);
  ~http_listener();

  /// "127.0.0.1:8080", with the port it got.
  std::string address() const;
  /// "http://127.0.0.1:8080", or https.
  std::string url() const;
  std::uint16_t port() const;
  void start();

  /// Accepts no more and ends connections as they come to rest;
  /// `on_empty` is called when none is left.
  void drain(std::function<void()> on_empty);
  /// Ends all connections at once.
  void abort();
  std::size_t sessions() const { return open_; }
  /// Does what is due on all connections, which it does by itself a few times
  /// a second.
  void look_at_clock();

private:
  void accept();
  void add(boost::asio::ip::tcp::socket socket);
  void ended();
  void tick();
  std::vector<std::shared_ptr<http_session>> live();

  http_service service_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer retry_, tick_;
  bool ticking_ = false;
  std::vector<std::weak_ptr<http_session>> sessions_;
  std::size_t open_ = 0;
  bool accepting_ = false;
  std::function<void()> on_empty_;
  std::shared_ptr<int> alive_ = std::make_shared<int>(0);
};

} // namespace ganglion::apps
