// One connection: reads a request, lets the router answer it, writes the
// answer, and goes on with the next, in order.
#pragma once

#include "apps/http/input.hpp"
#include "apps/http/output.hpp"
#include "apps/http/service.hpp"

namespace ganglion::apps {

class http_exchange;

/// Belongs to the server's thread. Lives as long as an operation is under way
/// or a handler holds its reply.
class http_session : public std::enable_shared_from_this<http_session> {
public:
  /// `service` outlives the session.
  http_session(std::unique_ptr<http_stream> stream, const http_service &service,
               std::function<void()> on_end);
  ~http_session();

  void start();
  /// Ends once what is being answered has been answered.
  void drain();
  /// Ends at once; a request being answered is abandoned.
  void abort();
  /// Does what is due.
  void look_at_clock();

private:
  friend class http_exchange;

  void read();
  void on_read(const boost::system::error_code &ec, std::size_t bytes);
  void advance();
  void answer(http_request request);
  void refuse();
  void on_written(bool well);
  void greeted(const boost::system::error_code &ec);
  void on_deadline();
  void set_deadline(std::chrono::milliseconds from_now);
  void drop_deadline() { due_.reset(); }
  void next_request();
  void linger();
  void close();

  // What an exchange reports.
  void push(std::string_view bytes);
  void answered(bool keep_alive);

  enum class phase {
    greeting,
    receiving,
    answering,
    flushing,
    lingering,
    closed
  };

  std::unique_ptr<http_stream> stream_;
  const http_service &service_;
  const http_limits &limits_;
  std::function<void()> on_end_;
  http_input input_;
  http_output output_;
  std::optional<time_point> due_;
  std::weak_ptr<http_exchange> exchange_;
  phase phase_ = phase::greeting;
  bool reading_ = false, draining_ = false, keep_alive_ = true;
  bool partial_ = false;    ///< some of a request has come
  bool has_header_ = false; ///< all of its header
};

} // namespace ganglion::apps
