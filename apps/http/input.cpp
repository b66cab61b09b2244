#include "apps/http/input.hpp"

#include "apps/http/response_writer.hpp"

#include <boost/beast/http/rfc7230.hpp>

namespace ganglion::apps {

namespace http = boost::beast::http;

namespace {

std::string text_of(boost::beast::string_view view) {
  return {view.data(), view.size()};
}

/// Bytes outside of ASCII escaped, so that a path can be quoted anywhere.
std::string ascii(std::string_view text) {
  std::string out;
  for (const char &c : text)
    out += c > ' ' && c < 0x7f ? std::string(1, c) : header_token({&c, 1});
  return out;
}

} // namespace

void http_input::reset() {
  parser_.emplace();
  parser_->header_limit(limits_.header_bytes);
  parser_->body_limit(limits_.body_bytes);
  parser_->eager(true);
  continued_ = false;
}

input_state http_input::advance() {
  while (!parser_->is_done() && buffer_.size() > 0) {
    boost::system::error_code ec;
    const auto used = parser_->put(buffer_.data(), ec);
    buffer_.consume(used);
    if (ec == http::error::need_more)
      break;
    if (ec)
      return refuse(ec);
  }
  if (parser_->is_done())
    return input_state::complete;
  return parser_->got_some() || buffer_.size() > 0 ? input_state::partial
                                                   : input_state::idle;
}

input_state http_input::refuse(const boost::system::error_code &ec) {
  if (ec == http::error::body_limit)
    refusal_ =
        error_response(413, "PayloadTooLargeException",
                       "request body exceeds max_request_size, which is " +
                           std::to_string(limits_.body_bytes) + " bytes");
  else if (ec == http::error::header_limit)
    refusal_ =
        error_response(431, "BadRequestException",
                       "request header exceeds " +
                           std::to_string(limits_.header_bytes) + " bytes");
  else
    refusal_ = error_response(400, "BadRequestException",
                              "malformed HTTP request: " + ec.message());
  return input_state::refused;
}

bool http_input::wants_continue() {
  if (continued_ || !parser_->is_header_done() || parser_->is_done())
    return false;
  const auto expect = parser_->get()[http::field::expect];
  continued_ = same_header_name({expect.data(), expect.size()}, "100-continue");
  return continued_;
}

http_request http_input::take() {
  auto &message = parser_->get();
  keep_alive_ = message.keep_alive();
  chunks_allowed_ = message.version() >= 11;
  http_request out;
  out.method = text_of(message.method_string());
  const auto target = ascii(text_of(message.target()));
  const auto query = target.find('?');
  out.path = target.substr(0, query);
  if (query != std::string::npos)
    out.query = target.substr(query + 1);
  for (const auto &field : message)
    out.headers.push_back(
        {text_of(field.name_string()), text_of(field.value())});
  out.body = std::move(message.body());
  reset();
  return out;
}

} // namespace ganglion::apps
