// Turns the bytes of one connection into requests, within limits.
#pragma once

#include "apps/http/limits.hpp"
#include "apps/http/message.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <optional>

namespace ganglion::apps {

/// What the bytes so far amount to.
enum class input_state {
  idle,     ///< nothing of the next request is there
  partial,  ///< some of it
  complete, ///< take it
  refused,  ///< see `refusal`; the connection is of no further use
};

class http_input {
public:
  explicit http_input(const http_limits &limits) : limits_(limits) { reset(); }

  /// Where to read to, and how much came.
  auto prepare() { return buffer_.prepare(read_size); }
  void commit(std::size_t bytes) { buffer_.commit(bytes); }
  std::size_t unread() const { return buffer_.size(); }
  void discard() { buffer_.clear(); }

  /// Parses what is there, up to the end of one request.
  input_state advance();
  /// The complete request; parsing goes on with the next one.
  http_request take();
  const http_response &refusal() const { return refusal_; }

  /// Whether all of the next request's header is there.
  bool has_header() const { return parser_->is_header_done(); }
  /// Whether the client waits for "100 Continue"; true once per request.
  bool wants_continue();
  /// Of the request last taken.
  bool keep_alive() const { return keep_alive_; }
  bool chunks_allowed() const { return chunks_allowed_; }

private:
  static constexpr std::size_t read_size = 16 << 10;

  void reset();
  input_state refuse(const boost::system::error_code &ec);

  const http_limits &limits_;
  boost::beast::flat_buffer buffer_;
  std::optional<
      boost::beast::http::request_parser<boost::beast::http::string_body>>
      parser_;
  http_response refusal_;
  bool continued_ = false, keep_alive_ = true, chunks_allowed_ = true;
};

} // namespace ganglion::apps
