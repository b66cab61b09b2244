// The bytes of one connection, plain or encrypted.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <memory>

namespace boost::asio::ssl {
class context;
}

namespace ganglion::apps {

/// Belongs to the socket's thread. Callbacks keep it alive themselves.
class http_stream {
public:
  using on_bytes =
      std::function<void(const boost::system::error_code &, std::size_t)>;
  using on_done = std::function<void(const boost::system::error_code &)>;

  virtual ~http_stream() = default;

  virtual boost::asio::ip::tcp::socket &socket() = 0;
  /// Before anything else; `done` may be called at once.
  virtual void greet(on_done done) = 0;
  virtual void read_some(boost::asio::mutable_buffer to, on_bytes done) = 0;
  /// All of `from`.
  virtual void write(boost::asio::const_buffer from, on_bytes done) = 0;
  /// Tells the client that nothing more comes; reading goes on.
  virtual void finish(std::shared_ptr<void> owner) = 0;
};

std::unique_ptr<http_stream> plain_stream(boost::asio::ip::tcp::socket socket);
std::unique_ptr<http_stream> tls_stream(boost::asio::ip::tcp::socket socket,
                                        boost::asio::ssl::context &context);

} // namespace ganglion::apps
