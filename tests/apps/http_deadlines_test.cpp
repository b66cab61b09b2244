// What connections may take their time for, by a clock that the test moves.
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;
using namespace std::chrono_literals;

namespace {

struct timed_server {
  timed_server() {
    http_service service{{}, http_router({{"POST", "/x", hold()}})};
    service.time = time;
    server.emplace(std::move(service));
  }
  http_handler hold() {
    return [this](http_request, std::shared_ptr<http_reply> reply) {
      if (held)
        held->set_value(reply);
      else
        reply->send({});
    };
  }
  /// Moves the clock, and lets the server see it.
  void pass(std::chrono::milliseconds by) {
    // A client may have its answer before the server has noted that.
    for (int i = 0; i < 2; ++i)
      server->on_thread([] {});
    time->advance(by);
    server->on_thread([this] { server->listener().look_at_clock(); });
  }
  std::uint16_t port() const { return server->port(); }
  /// Waits until the server has read all that was sent on other connections.
  void settle() {
    http_client other(port());
    other.exchange("POST", "/x");
  }

  std::shared_ptr<manual_clock> time = std::make_shared<manual_clock>();
  std::promise<std::shared_ptr<http_reply>> *held = nullptr;
  std::optional<running_listener> server;
};

bool closes(http_client &client) {
  client.receive_until({});
  return client.ended();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_deadlines, timed_server)

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed) {
  http_client client(port());
  client.exchange("POST", "/x");
  pass(74s);
  client.exchange("POST", "/x"); // starts anew
  pass(74s);
  client.exchange("POST", "/x");
  pass(76s);
  BOOST_TEST(closes(client));
}

BOOST_AUTO_TEST_CASE(a_header_that_trickles_is_cut_off) {
  http_client client(port());
  client.exchange("POST", "/x");
  client.send("POST /x HTTP/1.1\r\n");
  settle();
  for (int i = 0; i < 7; ++i) { // a line now and then wins no time
    pass(2s);
    client.send("X-Slow: " + std::to_string(i) + "\r\n");
    settle();
  }
  pass(2s);
  BOOST_TEST(client.receive().result_int() == 408u);
  BOOST_TEST(closes(client));
}

BOOST_AUTO_TEST_CASE(a_body_has_its_own_time) {
  http_client client(port());
  client.exchange("POST", "/x");
  client.send("POST /x HTTP/1.1\r\nContent-Length: 10\r\n");
  settle();
  pass(14s);
  client.send("\r\n12345");
  settle();
  pass(59s);
  client.send("67");
  settle();
  pass(2s);
  BOOST_TEST(client.receive().result_int() == 408u);
}

BOOST_AUTO_TEST_CASE(an_answer_may_take_any_time) {
  std::promise<std::shared_ptr<http_reply>> promise;
  http_client client(port());
  client.exchange("POST", "/x");
  server->on_thread([&] { held = &promise; });
  client.send_request("POST", "/x", {});
  const auto reply = promise.get_future().get();
  pass(3600s);
  server->on_thread([&] { reply->send({}); });
  BOOST_TEST(client.receive().result_int() == 200u);
}

BOOST_AUTO_TEST_CASE(a_greeting_must_come) {
  http_client client(port());
  settle();
  pass(76s);
  BOOST_TEST(closes(client));
}

BOOST_AUTO_TEST_SUITE_END()
