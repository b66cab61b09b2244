#include "apps/http/exchange.hpp"

#include "apps/http/session.hpp"

#include <boost/asio/post.hpp>

namespace ganglion::apps {

http_exchange::~http_exchange() {
  if (session_)
    session_->abort();
}

void http_exchange::send(http_response response) {
  if (!session_)
    return;
  auto bytes =
      head_bytes(response, request_id_, body_framing::length, form_.keep_alive);
  if (!form_.head_only)
    bytes += response.body;
  session_->push(bytes);
  complete();
}

void http_exchange::begin(http_response head) {
  if (!session_)
    return;
  form_.keep_alive = form_.keep_alive && form_.chunks;
  session_->push(head_bytes(head, request_id_,
                            form_.chunks ? body_framing::chunked
                                         : body_framing::until_close,
                            form_.keep_alive));
}

void http_exchange::write(std::string_view piece) {
  if (!session_ || piece.empty())
    return;
  const auto bytes = form_.chunks ? chunk_bytes(piece) : std::string(piece);
  const auto unsent = session_->output_.unsent();
  if (unsent > 0 && unsent + bytes.size() > session_->limits_.unsent_bytes)
    // Not from inside a call of the handler, which may be holding on to
    // what its abandoned action takes apart.
    return boost::asio::post(session_->socket_.get_executor(),
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
  std::exchange(session_, nullptr)->answered(form_.keep_alive);
}

void http_exchange::abandon() {
  session_.reset();
  if (const auto action = std::exchange(action_, {}))
    action();
}

} // namespace ganglion::apps
