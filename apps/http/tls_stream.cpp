#include "apps/http/stream.hpp"

#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

namespace ganglion::apps {

namespace {

using boost::asio::ip::tcp;

class encrypted final : public http_stream {
public:
  encrypted(tcp::socket socket, boost::asio::ssl::context &context)
      : stream_(std::move(socket), context) {}

  tcp::socket &socket() override { return stream_.next_layer(); }
  void greet(on_done done) override {
    stream_.async_handshake(boost::asio::ssl::stream_base::server,
                            std::move(done));
  }
  void read_some(boost::asio::mutable_buffer to, on_bytes done) override {
    stream_.async_read_some(boost::asio::buffer(to), std::move(done));
  }
  void write(boost::asio::const_buffer from, on_bytes done) override {
    boost::asio::async_write(stream_, boost::asio::buffer(from),
                             std::move(done));
  }
  void finish(std::shared_ptr<void> owner) override {
    stream_.async_shutdown(
        [owner](const boost::system::error_code &) { /* the end, in any case */
        });
  }

private:
  boost::asio::ssl::stream<tcp::socket> stream_;
};

} // namespace

std::unique_ptr<http_stream> tls_stream(tcp::socket socket,
                                        boost::asio::ssl::context &context) {
  return std::make_unique<encrypted>(std::move(socket), context);
}

} // namespace ganglion::apps
