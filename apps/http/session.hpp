// One connection: reads a request, lets the router answer it, writes the
// answer, and goes on with the next, in order.
#pragma once

#include "apps/http/deadline.hpp"
#include "apps/http/input.hpp"
#include "apps/http/output.hpp"
#include "apps/http/router.hpp"

namespace ganglion::apps {

class http_exchange;

/// Belongs to the server's thread. Lives as long as an operation is under way
/// or a handler holds its reply.
class http_session : public std::enable_shared_from_this<http_session> {
public:
  http_session(boost::asio::ip::tcp::socket socket, const http_limits &limits,
               const http_router &router, std::function<void()> on_end);
  ~http_session();

  void start();
  /// Ends once what is being answered has been answered.
  void drain();
  /// Ends at once; a request being answered is abandoned.
  void abort();

private:
  friend class http_exchange;

  void read();
  void on_read(const boost::system::error_code &ec, std::size_t bytes);
  void advance();
  void answer(http_request request);
  void refuse();
  void on_written(bool well);
  void on_deadline();
  void next_request();
  void linger();
  void close();

  // What an exchange reports.
  void push(std::string_view bytes);
  void answered(bool keep_alive);

  enum class phase { receiving, answering, flushing, lingering, closed };

  boost::asio::ip::tcp::socket socket_;
  const http_limits &limits_;
  const http_router &router_;
  std::function<void()> on_end_;
  http_input input_;
  http_output output_;
  deadline deadline_;
  std::weak_ptr<http_exchange> exchange_;
  phase phase_ = phase::receiving;
  bool reading_ = false, draining_ = false, keep_alive_ = true;
  bool partial_ = false; ///< some of a request has come
};

} // namespace ganglion::apps
