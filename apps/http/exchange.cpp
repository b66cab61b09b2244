#include "apps/http/exchange.hpp"

#include "apps/http/session.hpp"

#include <boost/asio/post.hpp>

namespace ganglion::apps {

http_exchange::http_exchange(std::shared_ptr<http_session> session,
                             const http_request &request, reply_form form)
    : session_(std::move(session)),
      service_(session_->service_),
      begun_(service_.time->now()),
      extra_(cross_origin_headers(service_.cross_origin, request)),
      form_(form) {
  record_.id = request.id;
  record_.method = request.method;
  record_.path = request.path;
}

http_exchange::~http_exchange() {
  if (session_)
    session_->abort();
}

void http_exchange::send(http_response response) {
  if (!session_)
    return;
  auto bytes = head(response, body_framing::length);
  if (!form_.head_only)
    bytes += response.body;
  session_->push(bytes);
  complete();
}

void http_exchange::begin(http_response response) {
  if (!session_)
    return;
  form_.keep_alive = form_.keep_alive && form_.chunks;
  session_->push(head(response, form_.chunks ? body_framing::chunked
                                             : body_framing::until_close));
}

std::string http_exchange::head(const http_response &response,
                                body_framing framing) {
  record_.status = response.status;
  auto headed = response;
  headed.headers.insert(headed.headers.end(), extra_.begin(), extra_.end());
  return head_bytes(headed, record_.id, framing, form_.keep_alive);
}

void http_exchange::write(std::string_view piece) {
  if (!session_ || piece.empty())
    return;
  const auto bytes = form_.chunks ? chunk_bytes(piece) : std::string(piece);
  const auto unsent = session_->output_.unsent();
  if (unsent > 0 && unsent + bytes.size() > service_.limits.unsent_bytes)
    // Not from inside a call of the handler, which may be holding on to
    // what its abandoned action takes apart.
    return boost::asio::post(session_->stream_->socket().get_executor(),
                             [s = session_] { s->abort(); });
  session_->push(bytes);
}

void http_exchange::end() {
  if (!session_)
    return;
  if (form_.chunks)
    session_->push(last_chunk);
  complete();
}

void http_exchange::complete() {
  action_ = {};
  record_.complete = true;
  tell();
  std::exchange(session_, nullptr)->answered(form_.keep_alive);
}

void http_exchange::abandon() {
  session_.reset();
  if (const auto action = std::exchange(action_, {}))
    action();
  tell();
}

void http_exchange::tell() {
  record_.took = service_.time->now() - begun_;
  if (service_.observe)
    service_.observe(record_);
}

} // namespace ganglion::apps
