#include "apps/http/session.hpp"

#include "apps/http/exchange.hpp"
#include "apps/http/request_id.hpp"
#include "hlo/support/log.hpp"

#include <boost/asio/post.hpp>

namespace ganglion::apps {

using boost::asio::ip::tcp;

http_session::http_session(std::unique_ptr<http_stream> stream,
                           const http_service &service,
                           std::function<void()> on_end)
    : stream_(std::move(stream)),
      service_(service),
      limits_(service.limits),
      on_end_(std::move(on_end)),
      input_(limits_),
      output_(*stream_, [this](bool well) { on_written(well); }) {}

http_session::~http_session() { on_end_(); }

void http_session::start() {
  boost::system::error_code ignored; // these only make it faster or smaller
  auto &socket = stream_->socket();
  socket.set_option(tcp::no_delay(true), ignored);
  if (limits_.socket_send_bytes > 0)
    socket.set_option(tcp::socket::send_buffer_size(limits_.socket_send_bytes),
                      ignored);
  set_deadline(limits_.header);
  stream_->greet(
      [self = shared_from_this()](const boost::system::error_code &ec) {
        self->greeted(ec);
      });
}

void http_session::greeted(const boost::system::error_code &ec) {
  if (ec)
    return abort();
  next_request();
}

void http_session::set_deadline(std::chrono::milliseconds from_now) {
  due_ = service_.time->now() + from_now;
}

void http_session::look_at_clock() {
  if (due_ && *due_ <= service_.time->now()) {
    due_.reset();
    on_deadline();
  }
}

void http_session::next_request() {
  if (phase_ == phase::closed)
    return;
  if (draining_ || !keep_alive_)
    return linger();
  phase_ = phase::receiving;
  partial_ = has_header_ = false;
  set_deadline(limits_.idle);
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
  stream_->read_some(input_.prepare(),
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
    set_deadline(limits_.header);
  }
  if (partial_ && !has_header_ && input_.has_header()) {
    has_header_ = true;
    set_deadline(limits_.receive);
  }
  if (input_.wants_continue())
    output_.push(continue_bytes, shared_from_this());
}

void http_session::answer(http_request request) {
  phase_ = phase::answering;
  drop_deadline();
  request.id = request_id_of(request);
  const auto key = service_.keys.key_of(request);
  const auto exchange = std::make_shared<http_exchange>(
      shared_from_this(), request,
      reply_form{.keep_alive = input_.keep_alive() && !draining_,
                 .chunks = input_.chunks_allowed(),
                 .head_only = request.method == "HEAD",
                 .client = key.value_or(0)});
  exchange_ = exchange;
  if (!key && !service_.keys.open() && !key_check::is_free(request))
    return service_.router.refuse_key(request, *exchange);
  service_.router.dispatch(std::move(request), exchange);
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
    set_deadline(limits_.send);
  output_.push(bytes, shared_from_this());
}

void http_session::answered(bool keep_alive) {
  if (phase_ == phase::closed)
    return;
  keep_alive_ = keep_alive;
  phase_ = phase::flushing;
  if (output_.idle()) // all of it has been written before it was complete
    boost::asio::post(stream_->socket().get_executor(),
                      [self = shared_from_this()] { self->next_request(); });
}

void http_session::on_written(bool well) {
  if (phase_ == phase::closed)
    return;
  if (!well)
    return abort();
  if (!output_.idle())
    return set_deadline(limits_.send);
  if (phase_ == phase::flushing)
    next_request();
  else if (phase_ == phase::answering)
    drop_deadline();
}

void http_session::on_deadline() {
  if (phase_ == phase::receiving && partial_) {
    log::debug("a request did not arrive in time");
    const auto late = error_response(408, "RequestTimeoutException",
                                     "the request did not arrive in time");
    push(head_bytes(late, fresh_request_id(), body_framing::length, false) +
         late.body);
    return answered(false);
  }
  abort();
}

/// Tells the client that nothing more comes, and waits for it to have read
/// that: closing with unread input would discard the answer.
void http_session::linger() {
  phase_ = phase::lingering;
  input_.discard();
  stream_->finish(shared_from_this());
  set_deadline(limits_.linger);
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
  drop_deadline();
  boost::system::error_code ignored; // nothing is left to be done about it
  stream_->socket().close(ignored);
}

} // namespace ganglion::apps
