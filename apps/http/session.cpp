#include "apps/http/session.hpp"

#include "apps/http/exchange.hpp"
#include "apps/http/request_id.hpp"
#include "hlo/support/log.hpp"

#include <boost/asio/post.hpp>

namespace ganglion::apps {

using boost::asio::ip::tcp;

http_session::http_session(tcp::socket socket, const http_limits &limits,
                           const http_router &router,
                           std::function<void()> on_end)
    : socket_(std::move(socket)),
      limits_(limits),
      router_(router),
      on_end_(std::move(on_end)),
      input_(limits),
      output_(socket_, [this](bool well) { on_written(well); }),
      deadline_(socket_.get_executor(), [this] { on_deadline(); }) {}

http_session::~http_session() { on_end_(); }

void http_session::start() {
  boost::system::error_code ignored; // these only make it faster or smaller
  socket_.set_option(tcp::no_delay(true), ignored);
  if (limits_.socket_send_bytes > 0)
    socket_.set_option(tcp::socket::send_buffer_size(limits_.socket_send_bytes),
                       ignored);
  next_request();
}

void http_session::next_request() {
  if (phase_ == phase::closed)
    return;
  if (draining_ || !keep_alive_)
    return linger();
  phase_ = phase::receiving;
  partial_ = false;
  deadline_.set(limits_.idle, shared_from_this());
  advance();
  read();
}

/// One read is always under way, so that a client's end is noticed at once,
/// unless more than enough has been read ahead.
void http_session::read() {
  const bool ahead = phase_ == phase::answering || phase_ == phase::flushing;
  if (reading_ || phase_ == phase::closed ||
      (ahead && input_.unread() >= limits_.read_ahead_bytes))
    return;
  reading_ = true;
  socket_.async_read_some(input_.prepare(),
                          [self = shared_from_this()](
                              const boost::system::error_code &ec,
                              std::size_t bytes) { self->on_read(ec, bytes); });
}

void http_session::on_read(const boost::system::error_code &ec,
                           std::size_t bytes) {
  reading_ = false;
  if (phase_ == phase::closed)
    return;
  if (ec && phase_ == phase::flushing) {
    keep_alive_ = false; // it may still read what it asked for
    return;
  }
  if (ec)
    return abort();
  input_.commit(bytes);
  if (phase_ == phase::lingering)
    input_.discard();
  else if (phase_ == phase::receiving)
    advance();
  read();
}

void http_session::advance() {
  const auto state = input_.advance();
  if (state == input_state::complete)
    return answer(input_.take());
  if (state == input_state::refused)
    return refuse();
  if (state == input_state::partial && !partial_) {
    partial_ = true;
    deadline_.set(limits_.receive, shared_from_this());
  }
  if (input_.wants_continue())
    output_.push(continue_bytes, shared_from_this());
}

void http_session::answer(http_request request) {
  phase_ = phase::answering;
  deadline_.drop();
  request.id = request_id_of(request);
  const auto exchange = std::make_shared<http_exchange>(
      shared_from_this(), request.id,
      reply_form{.keep_alive = input_.keep_alive() && !draining_,
                 .chunks = input_.chunks_allowed(),
                 .head_only = request.method == "HEAD"});
  exchange_ = exchange;
  router_.dispatch(std::move(request), exchange);
}

void http_session::refuse() {
  const auto &refusal = input_.refusal();
  phase_ = phase::answering;
  log::debug("connection refused: status {}", refusal.status);
  push(head_bytes(refusal, fresh_request_id(), body_framing::length, false) +
       refusal.body);
  answered(false);
}

void http_session::push(std::string_view bytes) {
  if (phase_ == phase::closed)
    return;
  if (output_.idle())
    deadline_.set(limits_.send, shared_from_this());
  output_.push(bytes, shared_from_this());
}

void http_session::answered(bool keep_alive) {
  if (phase_ == phase::closed)
    return;
  keep_alive_ = keep_alive;
  phase_ = phase::flushing;
  if (output_.idle()) // all of it has been written before it was complete
    boost::asio::post(socket_.get_executor(),
                      [self = shared_from_this()] { self->next_request(); });
}

void http_session::on_written(bool well) {
  if (phase_ == phase::closed)
    return;
  if (!well)
    return abort();
  if (!output_.idle())
    return deadline_.set(limits_.send, shared_from_this());
  if (phase_ == phase::flushing)
    next_request();
  else if (phase_ == phase::answering)
    deadline_.drop();
}

void http_session::on_deadline() {
  if (phase_ == phase::receiving && partial_) {
    log::debug("a request did not arrive in time");
    push(head_bytes(error_response(408, "RequestTimeoutException",
                                   "the request did not arrive in time"),
                    fresh_request_id(), body_framing::length, false));
    return answered(false);
  }
  abort();
}

/// Tells the client that nothing more comes, and waits for it to have read
/// that: closing with unread input would discard the answer.
void http_session::linger() {
  phase_ = phase::lingering;
  input_.discard();
  boost::system::error_code ignored; // the client may be gone already
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  deadline_.set(limits_.linger, shared_from_this());
  read();
}

void http_session::drain() {
  draining_ = true;
  if (phase_ == phase::receiving && !partial_)
    abort();
}

void http_session::abort() {
  if (phase_ == phase::closed)
    return;
  close();
  if (const auto exchange = exchange_.lock())
    exchange->abandon();
}

void http_session::close() {
  phase_ = phase::closed;
  deadline_.drop();
  boost::system::error_code ignored; // nothing is left to be done about it
  socket_.close(ignored);
}

} // namespace ganglion::apps
