// Connections: order, keep-alive, limits, garbage, slow and vanishing clients.
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using ganglion::testing::http_client;
using ganglion::testing::running_listener;
using namespace std::chrono_literals;

namespace {

http_response text(std::string body) {
  http_response out;
  out.content_type = "text/plain";
  out.body = std::move(body);
  return out;
}

/// Answers with what it was asked.
void echo(http_request request, std::shared_ptr<http_reply> reply) {
  reply->send(text(request.method + " " + request.path + "?" + request.query +
                   " " + request.body));
}

const std::vector<http_route> echo_routes = {{"GET", "/echo", echo},
                                             {"POST", "/echo", echo},
                                             {"GET", "/named/{name}", echo}};

/// Keeps the reply of a stream for the test to write to.
struct held_stream {
  std::promise<std::shared_ptr<http_reply>> begun;
  std::promise<void> abandoned;

  http_route route() {
    return {"POST", "/stream", [this](http_request, auto reply) {
              reply->on_abandoned([this] { abandoned.set_value(); });
              reply->begin(text({}));
              begun.set_value(reply);
            }};
  }
  bool is_abandoned() {
    return abandoned.get_future().wait_for(30s) == std::future_status::ready;
  }
};

int status_of(const http_client::response &r) { return r.result_int(); }

} // namespace

BOOST_AUTO_TEST_SUITE(http_server)

BOOST_AUTO_TEST_CASE(answers_and_keeps_the_connection) {
  running_listener server(echo_routes);
  http_client client(server.port());
  for (int i = 0; i < 3; ++i) {
    const auto r = client.exchange("POST", "/echo?a=1", "body");
    BOOST_TEST(status_of(r) == 200);
    BOOST_TEST(r.body() == "POST /echo?a=1 body");
    BOOST_TEST(r["Connection"] == "keep-alive");
  }
}

BOOST_AUTO_TEST_CASE(carries_the_headers_of_the_contract) {
  running_listener server(echo_routes);
  http_client client(server.port());
  const auto r = client.exchange("GET", "/echo", {}, "X-Request-Id: abc-1\r\n");
  BOOST_TEST(r["x-request-id"] == "abc-1");
  BOOST_TEST(r["Pragma"] == "no-cache");
  BOOST_TEST(r["Cache-Control"] ==
             "no-cache; no-store, must-revalidate, private");
  BOOST_TEST(r["Expires"] == "Thu, 01 Jan 1970 00:00:00 UTC");
  // What could break out of a header is replaced.
  const auto odd = client.exchange("GET", "/echo", {}, "X-Request-Id: a b\r\n");
  BOOST_TEST(!odd["x-request-id"].empty());
  BOOST_TEST(odd["x-request-id"] != "a b");
}

BOOST_AUTO_TEST_CASE(answers_pipelined_requests_in_order) {
  running_listener server(echo_routes);
  http_client client(server.port());
  std::string all;
  for (int i = 0; i < 20; ++i)
    all += http_client::request_text("POST", "/echo", std::to_string(i));
  client.send(all);
  for (int i = 0; i < 20; ++i)
    BOOST_TEST(client.receive().body() == "POST /echo? " + std::to_string(i));
}

BOOST_AUTO_TEST_CASE(takes_a_request_byte_by_byte) {
  running_listener server(echo_routes);
  http_client client(server.port());
  for (const char c : http_client::request_text("POST", "/echo", "slowly"))
    client.send({&c, 1});
  BOOST_TEST(client.receive().body() == "POST /echo? slowly");
}

BOOST_AUTO_TEST_CASE(routes) {
  running_listener server(echo_routes);
  http_client client(server.port());
  BOOST_TEST(status_of(client.exchange("GET", "/named/x")) == 200);
  BOOST_TEST(status_of(client.exchange("GET", "/named/x/y")) == 404);
  BOOST_TEST(status_of(client.exchange("GET", "/named/")) == 404);
  const auto refused = client.exchange("DELETE", "/echo");
  BOOST_TEST(status_of(refused) == 405);
  BOOST_TEST(refused["Allow"] == "GET, POST");
  const auto options = client.exchange("OPTIONS", "/nothing");
  BOOST_TEST(status_of(options) == 200);
  BOOST_TEST(options.body() == "{}");
}

BOOST_AUTO_TEST_CASE(answers_head_without_a_body) {
  running_listener server(echo_routes);
  http_client client(server.port());
  client.send_request("HEAD", "/echo", {});
  BOOST_TEST(status_of(client.receive(true)) == 405);
  BOOST_TEST(client.exchange("GET", "/echo").body() == "GET /echo? ");
}

BOOST_AUTO_TEST_CASE(refuses_garbage_and_closes) {
  running_listener server(echo_routes);
  for (const std::string &garbage :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),
        std::string("hello\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("POST /echo HTTP/1.1\r\nContent-Length: x\r\n\r\n"),
        std::string("POST /echo HTTP/1.1\r\nTransfer-Encoding: "
                    "chunked\r\n\r\nzz\r\n")}) {
    http_client client(server.port());
    client.send(garbage);
    const auto r = client.receive();
    BOOST_TEST(status_of(r) == 400);
    BOOST_TEST(r["Connection"] == "close");
    client.receive_until({});
    BOOST_TEST(client.ended());
  }
  http_client client(server.port()); // nothing else is disturbed
  BOOST_TEST(status_of(client.exchange("GET", "/echo")) == 200);
}

BOOST_AUTO_TEST_CASE(bounds_headers_and_bodies) {
  http_limits limits;
  limits.header_bytes = 1000;
  limits.body_bytes = 100;
  running_listener server(echo_routes, limits);
  BOOST_TEST(status_of(http_client(server.port())
                           .exchange("POST", "/echo", std::string(101, 'x'))) ==
             413);
  BOOST_TEST(status_of(http_client(server.port())
                           .exchange("POST", "/echo", std::string(100, 'x'))) ==
             200);
  BOOST_TEST(status_of(http_client(server.port())
                           .exchange("POST", "/echo", {},
                                     "X-Long: " + std::string(2000, 'x') +
                                         "\r\n")) == 431);
  http_client chunked(server.port());
  chunked.send("POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
               "80\r\n" +
               std::string(0x80, 'x') + "\r\n0\r\n\r\n");
  BOOST_TEST(status_of(chunked.receive()) == 413);
}

BOOST_AUTO_TEST_CASE(lets_a_client_go_on_with_a_large_body) {
  running_listener server(echo_routes);
  http_client client(server.port());
  client.send("POST /echo HTTP/1.1\r\nExpect: 100-continue\r\n"
              "Content-Length: 4\r\n\r\n");
  BOOST_TEST(client.receive_until("\r\n\r\n") ==
             "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("body");
  BOOST_TEST(client.receive().body() == "POST /echo? body");
}

BOOST_AUTO_TEST_CASE(closes_what_stays_silent) {
  http_limits limits;
  limits.idle = 20ms;
  limits.header = limits.receive = 20ms;
  limits.linger = 20ms;
  running_listener server(echo_routes, limits);
  http_client silent(server.port());
  BOOST_TEST(silent.receive_until({}) == "");
  BOOST_TEST(silent.ended());
  http_client partial(server.port());
  partial.send("GET /ec");
  BOOST_TEST(partial.receive_until({}).starts_with("HTTP/1.1 408 "));
  BOOST_TEST(partial.ended());
}

BOOST_AUTO_TEST_CASE(streams_chunks_and_goes_on) {
  held_stream held;
  auto routes = echo_routes;
  routes.push_back(held.route());
  running_listener server(routes);
  http_client client(server.port());
  client.send(http_client::request_text("POST", "/stream", {}) +
              http_client::request_text("POST", "/echo", "next"));
  const auto reply = held.begun.get_future().get();
  server.on_thread([&] { reply->write("first "); });
  client.receive_until("first \r\n");
  server.on_thread([&] {
    reply->write("second");
    reply->end();
  });
  BOOST_TEST(client.receive_until("0\r\n\r\n") == "6\r\nsecond\r\n0\r\n\r\n");
  BOOST_TEST(client.receive().body() == "POST /echo? next");
}

BOOST_AUTO_TEST_CASE(streams_to_old_clients_until_the_end) {
  held_stream held;
  running_listener server({held.route()});
  http_client client(server.port());
  client.send("POST /stream HTTP/1.0\r\nContent-Length: 0\r\n\r\n");
  const auto reply = held.begun.get_future().get();
  server.on_thread([&] { reply->write("all of it"); });
  BOOST_TEST(client.receive_until("all of it").ends_with("\r\n\r\nall of it"));
  server.on_thread([&] { reply->end(); });
  BOOST_TEST(client.receive_until({}) == "");
  BOOST_TEST(client.ended());
}

BOOST_AUTO_TEST_CASE(notices_a_client_that_goes_away) {
  held_stream held;
  running_listener server({held.route()});
  http_client client(server.port());
  client.send_request("POST", "/stream", {});
  const auto reply = held.begun.get_future().get();
  client.close();
  BOOST_TEST(held.is_abandoned());
  server.on_thread([&] { reply->write("to nobody"); });
}

BOOST_AUTO_TEST_CASE(gives_up_a_client_that_does_not_read) {
  held_stream held;
  auto routes = echo_routes;
  routes.push_back(held.route());
  http_limits limits;
  limits.unsent_bytes = 10'000;
  limits.socket_send_bytes = 4'096;
  running_listener server(routes, limits);
  http_client lazy(server.port(), 4'096);
  lazy.send_request("POST", "/stream", {});
  const auto reply = held.begun.get_future().get();
  auto gone = held.abandoned.get_future();
  const std::string piece(1'000, 'x');
  int written = 0;
  while (gone.wait_for(0s) != std::future_status::ready && written < 100'000)
    server.on_thread([&] { reply->write(piece), ++written; });
  // The kernel's two buffers and ours, not all that was written.
  BOOST_TEST(written < 1'000);
  http_client other(server.port());
  BOOST_TEST(status_of(other.exchange("GET", "/echo")) == 200);
}

BOOST_AUTO_TEST_CASE(accepts_no_more_sessions_than_allowed) {
  http_limits limits;
  limits.sessions = 1;
  running_listener server(echo_routes, limits);
  auto first = std::make_unique<http_client>(server.port());
  BOOST_TEST(status_of(first->exchange("GET", "/echo")) == 200);
  http_client second(server.port()); // waits in the backlog
  second.send_request("GET", "/echo", {});
  server.on_thread([&] { BOOST_TEST(server.listener().sessions() == 1u); });
  first->close();
  BOOST_TEST(status_of(second.receive()) == 200);
}

BOOST_AUTO_TEST_CASE(drains) {
  held_stream held;
  auto routes = echo_routes;
  routes.push_back(held.route());
  running_listener server(routes);
  http_client idle(server.port()), busy(server.port());
  BOOST_TEST(status_of(idle.exchange("GET", "/echo")) == 200);
  busy.send_request("POST", "/stream", {});
  const auto reply = held.begun.get_future().get();
  std::promise<void> empty;
  server.on_thread(
      [&] { server.listener().drain([&] { empty.set_value(); }); });
  idle.receive_until({});
  BOOST_TEST(idle.ended());
  server.on_thread([&] {
    reply->write("the rest");
    reply->end();
  });
  BOOST_TEST(busy.receive().body() == "the rest");
  busy.close();
  BOOST_TEST((empty.get_future().wait_for(30s) == std::future_status::ready));
}

BOOST_AUTO_TEST_CASE(turns_exceptions_into_answers) {
  running_listener server(
      {{"GET", "/typed",
        [](http_request, auto) {
          throw error(error_code::unavailable, "not now");
        }},
       {"GET", "/other",
        [](http_request, auto) { throw std::runtime_error("oh"); }},
       {"GET", "/dropped", [](http_request, auto) {}}});
  http_client client(server.port());
  const auto typed = client.exchange("GET", "/typed");
  BOOST_TEST(status_of(typed) == 503);
  BOOST_TEST(typed.body() == "{\n  \"code\": 503,\n  \"type\": "
                             "\"ServiceUnavailableException\",\n  "
                             "\"message\": \"not now\"\n}\n");
  BOOST_TEST(status_of(client.exchange("GET", "/other")) == 500);
  // A handler that forgets to answer must not leave a client waiting.
  client.send_request("GET", "/dropped", {});
  client.receive_until({});
  BOOST_TEST(client.ended());
}

BOOST_AUTO_TEST_CASE(refuses_addresses_it_cannot_use) {
  boost::asio::io_context context;
  const http_listener first(context, "127.0.0.1", 0, {{}, http_router({})});
  BOOST_CHECK_EXCEPTION(
      http_listener(context, "127.0.0.1", first.port(), {{}, http_router({})}),
      error, [](const error &e) { return e.field() == "port"; });
  BOOST_CHECK_EXCEPTION(
      http_listener(context, "nowhere at all", 0, {{}, http_router({})}), error,
      [](const error &e) { return e.field() == "host"; });
}

BOOST_AUTO_TEST_SUITE_END()
