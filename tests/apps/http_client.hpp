// A blocking HTTP client for tests, which gives up instead of hanging.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include <string>
#include <string_view>

#include <sys/socket.h>
#include <sys/time.h>

namespace ganglion::testing {

class http_client {
public:
  using tcp = boost::asio::ip::tcp;
  using response =
      boost::beast::http::response<boost::beast::http::string_body>;

  /// `receive_bytes` bounds the kernel's buffer if it is not 0.
  explicit http_client(std::uint16_t port, int receive_bytes = 0) {
    socket_.open(tcp::v4());
    if (receive_bytes > 0)
      socket_.set_option(tcp::socket::receive_buffer_size(receive_bytes));
    const timeval patience{30, 0};
    ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience,
                 sizeof patience);
    socket_.connect({boost::asio::ip::address_v4::loopback(), port});
  }

  void send(std::string_view bytes) {
    boost::asio::write(socket_,
                       boost::asio::buffer(bytes.data(), bytes.size()));
  }
  void send_request(const std::string &method, const std::string &target,
                    const std::string &body, const std::string &headers = {}) {
    send(request_text(method, target, body, headers));
  }
  static std::string request_text(const std::string &method,
                                  const std::string &target,
                                  const std::string &body,
                                  const std::string &headers = {}) {
    return method + " " + target + " HTTP/1.1\r\nHost: test\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  /// One response, its chunks joined.
  response receive(bool head_only = false) {
    boost::beast::http::response_parser<boost::beast::http::string_body> parser;
    parser.body_limit(boost::none);
    parser.skip(head_only);
    boost::beast::http::read(socket_, buffer_, parser);
    return parser.release();
  }
  response exchange(const std::string &method, const std::string &target,
                    const std::string &body = {},
                    const std::string &headers = {}) {
    send_request(method, target, body, headers);
    return receive();
  }

  /// Raw bytes up to and including `mark`, or up to the end.
  std::string receive_until(std::string_view mark) {
    std::string out;
    char c = 0;
    boost::system::error_code ec;
    while (out.find(mark) == std::string::npos || mark.empty()) {
      boost::asio::read(socket_, boost::asio::buffer(&c, 1), ec);
      if (ec)
        break;
      out += c;
    }
    ended_ = ec == boost::asio::error::eof ||
             ec == boost::asio::error::connection_reset;
    return out;
  }
  /// Whether the last `receive_until` met the end of the connection.
  bool ended() const { return ended_; }

  void shutdown_send() { socket_.shutdown(tcp::socket::shutdown_send); }
  void close() { socket_.close(); }

private:
  boost::asio::io_context context_;
  tcp::socket socket_{context_};
  boost::beast::flat_buffer buffer_;
  bool ended_ = false;
};

} // namespace ganglion::testing
