// Liveness, readiness and the heartbeat through the actors.
#include "apps/lmi/routes.hpp"
#include "apps/server/health_routes.hpp"
#include "apps/serving/heartbeat_check.hpp"
#include "tests/actors/engine_fixture.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/test/unit_test.hpp>

#include <latch>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;
using namespace std::chrono_literals;

namespace {

/// Asks and waits for the answer.
bool alive(const engine &engine, std::chrono::milliseconds patience) {
  boost::asio::io_context context;
  std::optional<bool> answer;
  check_heartbeat(engine, context.get_executor(), patience,
                  [&](bool a) { answer = a; });
  context.run_for(30s);
  return answer.value();
}

/// Holds up whoever tells it of an event.
struct stuck_client {
  std::latch met{1}, go{1};
  bool operator()(const generation_event &) {
    if (!once.exchange(true))
      met.count_down();
    go.wait();
    return true;
  }
  std::atomic<bool> once = false;
};

} // namespace

BOOST_AUTO_TEST_SUITE(health)

BOOST_AUTO_TEST_CASE(routes_of_a_ready_server) {
  running_server server(story_server());
  BOOST_REQUIRE(server.ready());
  http_client client(server.port());
  BOOST_TEST(client.exchange("GET", "/health/live").body() ==
             R"({"status":"live"})");
  for (const auto *path : {"/health/ready", "/health"}) {
    const auto r = client.exchange("GET", path);
    BOOST_TEST(r.result_int() == 200u);
    BOOST_TEST(r.body() == R"({"status":"ready"})");
  }
  BOOST_TEST(client.exchange("GET", "/ping").body() ==
             R"({"status":"Healthy"})");
}

BOOST_AUTO_TEST_CASE(only_a_ready_engine_is_ready) {
  for (const auto state :
       {engine_state::loading, engine_state::rebuilding, engine_state::draining,
        engine_state::failed, engine_state::stopped})
    BOOST_TEST(ready_response(state, true).status == 503u);
  BOOST_TEST(ready_response(engine_state::ready, true).status == 200u);
  BOOST_TEST(ready_response(engine_state::ready, false).status == 503u);
  BOOST_TEST(ready_response(engine_state::ready, false).body ==
             R"({"status":"stuck"})");
  BOOST_TEST(stuck_response().status == 503u);
}

BOOST_AUTO_TEST_CASE(a_server_that_drains_lives_but_is_not_ready) {
  running_server server(story_server());
  BOOST_REQUIRE(server.ready());
  http_client busy(server.port()), client(server.port());
  busy.send_request("POST", "/invocations",
                    R"({"inputs": "Hi", "stream": true,)"
                    R"( "parameters": {"max_new_tokens": 500}})");
  busy.receive_until("\r\n\r\n");
  // Begun before the drain, and seen before another answer.
  client.send("GET /health/ready HTTP/1.1\r\n");
  http_client(server.port()).exchange("GET", "/health/live");
  BOOST_REQUIRE(server.eventually(
      [](const engine_status &s) { return s.accepted == 1; }));
  server.server().stop();
  if (!server.eventually([](const engine_status &s) {
        return s.state == engine_state::draining;
      }))
    return;
  client.send("\r\n");
  BOOST_TEST(client.receive().result_int() == 503u);
}

BOOST_AUTO_TEST_CASE(a_heartbeat_goes_through_the_actors) {
  engine e(story_config());
  BOOST_TEST(alive(e, 30s)); // also while loading
  e.wait_until_ready();
  BOOST_TEST(alive(e, 30s));
}

BOOST_AUTO_TEST_CASE(actors_that_hang_are_told) {
  engine e(story_config());
  e.wait_until_ready();
  // There are two threads for the small actors; both are held up.
  stuck_client first, second;
  for (auto *client : {&first, &second})
    e.submit(prompt_of("Once", 4), [client](const generation_event &event) {
      return (*client)(event);
    });
  first.met.wait();
  second.met.wait();
  BOOST_TEST(!alive(e, 50ms));
  first.go.count_down();
  second.go.count_down();
  BOOST_TEST(alive(e, 30s));
}

BOOST_AUTO_TEST_SUITE_END()
