// Connections over TLS: answers, streams, ends, and those that are no TLS.
#include "apps/http/tls_context.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

std::string file(const char *name) {
  return fixture(std::string("tls/") + name);
}

http_service encrypted(std::vector<http_route> routes) {
  http_service out{{}, http_router(std::move(routes))};
  out.tls = tls_context(file("certificate.pem"), file("key.pem"));
  return out;
}

/// A blocking client that trusts the fixture's certificate.
class tls_client {
public:
  explicit tls_client(std::uint16_t port) {
    trust_.load_verify_file(file("certificate.pem"));
    stream_.set_verify_mode(asio::ssl::verify_peer);
    stream_.next_layer().connect({asio::ip::address_v4::loopback(), port});
    stream_.handshake(asio::ssl::stream_base::client);
  }

  http_client::response exchange(const std::string &method,
                                 const std::string &target,
                                 const std::string &body = {}) {
    asio::write(stream_,
                asio::buffer(http_client::request_text(method, target, body)));
    http::response_parser<http::string_body> parser;
    parser.body_limit(boost::none);
    http::read(stream_, buffer_, parser);
    return parser.release();
  }
  boost::system::error_code read_to_end() {
    char c = 0;
    boost::system::error_code ec;
    while (!ec)
      asio::read(stream_, asio::buffer(&c, 1), ec);
    return ec;
  }
  asio::ssl::stream<asio::ip::tcp::socket> &stream() { return stream_; }

private:
  asio::io_context context_;
  asio::ssl::context trust_{asio::ssl::context::tls_client};
  asio::ssl::stream<asio::ip::tcp::socket> stream_{context_, trust_};
  boost::beast::flat_buffer buffer_;
};

void echo(http_request request, std::shared_ptr<http_reply> reply) {
  http_response out;
  out.body = request.body;
  reply->send(std::move(out));
}

bool refused(const char *certificate, const char *key,
             const std::string &field) {
  try {
    tls_context(file(certificate), file(key));
  } catch (const error &e) {
    return e.code() == error_code::invalid_argument && e.field() == field;
  }
  return false;
}

} // namespace

BOOST_AUTO_TEST_SUITE(tls)

BOOST_AUTO_TEST_CASE(answers_one_after_the_other) {
  running_listener server(encrypted({{"POST", "/echo", echo}}));
  tls_client client(server.port());
  BOOST_TEST(client.exchange("POST", "/echo", "first").body() == "first");
  const std::string large(3 << 20, 'x');
  BOOST_TEST((client.exchange("POST", "/echo", large).body() == large));
  BOOST_TEST(client.exchange("POST", "/echo", "last").body() == "last");
}

BOOST_AUTO_TEST_CASE(streams_in_pieces) {
  running_listener server(
      encrypted({{"GET", "/stream", [](http_request, auto reply) {
                    reply->begin({});
                    for (int i = 0; i < 100; ++i)
                      reply->write(std::to_string(i) + "\n");
                    reply->end();
                  }}}));
  tls_client client(server.port());
  const auto body = client.exchange("GET", "/stream").body();
  BOOST_TEST(body.starts_with("0\n1\n2\n"));
  BOOST_TEST(body.ends_with("98\n99\n"));
}

BOOST_AUTO_TEST_CASE(an_end_is_told_before_the_connection_ends) {
  running_listener server(encrypted({{"POST", "/echo", echo}}));
  tls_client client(server.port());
  asio::write(client.stream(),
              asio::buffer(std::string("POST /echo HTTP/1.0\r\n"
                                       "Content-Length: 2\r\n\r\nhi")));
  BOOST_TEST((client.read_to_end() == asio::error::eof)); // not cut off
}

BOOST_AUTO_TEST_CASE(a_client_that_leaves_is_noticed) {
  std::promise<void> begun, gone;
  running_listener server(
      encrypted({{"GET", "/wait", [&](http_request, auto reply) {
                    reply->on_abandoned([&, reply] { gone.set_value(); });
                    begun.set_value();
                  }}}));
  {
    tls_client client(server.port());
    asio::write(client.stream(),
                asio::buffer(http_client::request_text("GET", "/wait", {})));
    begun.get_future().wait();
  }
  BOOST_TEST((gone.get_future().wait_for(std::chrono::seconds(30)) ==
              std::future_status::ready));
}

BOOST_AUTO_TEST_CASE(what_is_no_tls_is_cut_off_and_disturbs_nobody) {
  running_listener server(encrypted({{"POST", "/echo", echo}}));
  tls_client client(server.port());
  http_client plain(server.port());
  plain.send_request("POST", "/echo", "hello");
  plain.receive_until({});
  BOOST_TEST(plain.ended());
  BOOST_TEST(client.exchange("POST", "/echo", "well").body() == "well");
}

BOOST_AUTO_TEST_CASE(files_that_do_not_do_are_named) {
  BOOST_TEST(refused("nothing.pem", "key.pem", "certificate_file"));
  BOOST_TEST(refused("README.md", "key.pem", "certificate_file"));
  BOOST_TEST(refused("certificate.pem", "nothing.pem", "private_key_file"));
  BOOST_TEST(refused("certificate.pem", "other_key.pem", "private_key_file"));
}

BOOST_AUTO_TEST_CASE(a_whole_server_over_tls) {
  auto options = story_server();
  options.config.server.access.certificate_file = file("certificate.pem");
  options.config.server.access.private_key_file = file("key.pem");
  running_server server(options);
  BOOST_REQUIRE(server.ready());
  BOOST_TEST(server.server().address().starts_with("https://"));
  tls_client client(server.port());
  const auto r =
      client.exchange("POST", "/v1/completions",
                      R"({"prompt": "Once", "max_tokens": 8, "stream": true})");
  BOOST_TEST(r.body().ends_with("data: [DONE]\n\n"));
}

BOOST_AUTO_TEST_SUITE_END()
