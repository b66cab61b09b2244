#include "apps/http/stream.hpp"

#include <boost/asio/write.hpp>

namespace ganglion::apps {

namespace {

using boost::asio::ip::tcp;

class plain final : public http_stream {
public:
  explicit plain(tcp::socket socket) : socket_(std::move(socket)) {}

  tcp::socket &socket() override { return socket_; }
  void greet(on_done done) override { done({}); }
  void read_some(boost::asio::mutable_buffer to, on_bytes done) override {
    socket_.async_read_some(boost::asio::buffer(to), std::move(done));
  }
  void write(boost::asio::const_buffer from, on_bytes done) override {
    boost::asio::async_write(socket_, boost::asio::buffer(from),
                             std::move(done));
  }
  void finish(std::shared_ptr<void>) override {
    boost::system::error_code ignored; // the client may be gone already
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
  }

private:
  tcp::socket socket_;
};

} // namespace

std::unique_ptr<http_stream> plain_stream(tcp::socket socket) {
  return std::make_unique<plain>(std::move(socket));
}

} // namespace ganglion::apps
