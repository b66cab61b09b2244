// The serving process: loading, many clients, clients that leave, draining.
#include "runtime/json/reader.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;
using namespace std::chrono_literals;

namespace {

struct story {
  std::string prompt, text;
  std::vector<std::int64_t> ids;
  std::vector<double> logprobs;
};

std::vector<story> stories() {
  std::vector<story> out;
  const auto document = json::document::load(stories260k() + "/expected.json");
  for (const auto &entry : document.root().items()) {
    story s{
        entry.at("prompt").as_string(), entry.at("text").as_string(), {}, {}};
    for (const auto &id : entry.at("greedy_ids").items())
      s.ids.push_back(id.as_int());
    for (const auto &logprob : entry.at("logprobs").items())
      s.logprobs.push_back(logprob.as_double());
    out.push_back(std::move(s));
  }
  return out;
}

std::string body(const std::string &prompt, std::size_t tokens, bool stream) {
  return R"({"inputs": ")" + prompt +
         R"(", "parameters": {"ignore_eos": true, "details": true, )" +
         R"("max_new_tokens": )" + std::to_string(tokens) + R"(}, "stream": )" +
         (stream ? "true" : "false") + "}";
}

std::string answer(std::uint16_t port, const std::string &request) {
  return http_client(port).exchange("POST", "/invocations", request).body();
}

bool all_returned(const engine_status &s) {
  return s.running == 0 && s.waiting == 0 && s.free_kv_blocks == s.kv_blocks;
}

/// Lines of a stream that never ends by itself within a test.
const std::string long_stream = body("Once upon a time", 500, true);

/// `count` clients at once, a third of which leave in the middle, with a pool
/// so small that sequences are preempted.
void compare_with_alone(std::size_t count) {
  auto options = story_server();
  options.config.graph.n_positions = 256;
  options.config.graph.kv_blocks = 8; // one sequence of that length
  running_server server(std::move(options));
  BOOST_REQUIRE(server.ready());
  const auto all = stories();
  const auto request = [&](std::size_t i) {
    return body(all[i % all.size()].prompt, 130 + 3 * i, i % 2 == 0);
  };
  const auto leaves = [](std::size_t i) { return i % 3 == 1; };
  std::vector<std::string> alone;
  for (std::size_t i = 0; i < count; ++i)
    alone.push_back(answer(server.port(), request(i)));
  std::vector<std::unique_ptr<http_client>> clients;
  for (std::size_t i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<http_client>(server.port()));
    clients[i]->send_request("POST", "/invocations",
                             leaves(i) ? long_stream : request(i));
  }
  for (std::size_t i = 0; i < count; ++i)
    if (leaves(i)) {
      clients[i]->receive_until("\"token\"");
      clients[i]->close();
    }
  for (std::size_t i = 0; i < count; ++i)
    if (!leaves(i))
      BOOST_TEST(clients[i]->receive().body() == alone[i]);
  BOOST_TEST(server.server().status().preemptions > 0u);
  BOOST_TEST(server.eventually(all_returned));
}

} // namespace

BOOST_AUTO_TEST_SUITE(lmi_server_process)

BOOST_AUTO_TEST_CASE(tells_the_expected_stories) {
  running_server server(story_server());
  BOOST_REQUIRE(server.ready());
  for (const auto &expected : stories()) {
    const auto text = answer(server.port(),
                             body(expected.prompt, expected.ids.size(), false));
    const auto document = json::document::parse(text, "answer");
    const auto root = document.root();
    BOOST_TEST(expected.prompt + root.at("generated_text").as_string() ==
               expected.text);
    const auto tokens = root.at("details").at("tokens").items();
    BOOST_REQUIRE(tokens.size() == expected.ids.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      BOOST_TEST(tokens[i].at("id").as_int() == expected.ids[i]);
      BOOST_TEST(std::abs(tokens[i].at("log_prob").as_double() -
                          expected.logprobs[i]) < 1e-4);
    }
  }
}

BOOST_AUTO_TEST_CASE(gives_each_of_8_clients_what_it_gets_alone) {
  compare_with_alone(8);
}

BOOST_AUTO_TEST_CASE(gives_each_of_32_clients_what_it_gets_alone) {
  compare_with_alone(32);
}

BOOST_AUTO_TEST_CASE(frees_what_a_vanished_client_held) {
  running_server server(story_server());
  BOOST_REQUIRE(server.ready());
  http_client client(server.port());
  client.send_request("POST", "/invocations", long_stream);
  client.receive_until("\"token\"");
  client.close();
  BOOST_TEST(server.eventually(all_returned));
  // Far fewer tokens than asked for were made for it.
  BOOST_TEST(server.server().status().tokens < 500u);
}

BOOST_AUTO_TEST_CASE(refuses_more_than_the_queue_takes) {
  auto options = story_server();
  options.config.scheduling.max_rolling_batch_size = 1;
  options.config.scheduling.job_queue_size = 1;
  running_server server(std::move(options));
  BOOST_REQUIRE(server.ready());
  std::vector<std::unique_ptr<http_client>> clients;
  for (int i = 0; i < 8; ++i)
    clients.push_back(std::make_unique<http_client>(server.port()));
  for (auto &client : clients)
    client->send_request("POST", "/invocations",
                         body("Once upon a time", 400, false));
  int refused = 0;
  for (auto &client : clients) {
    const auto r = client->receive();
    BOOST_TEST((r.result_int() == 200 || r.result_int() == 503));
    if (r.result_int() != 503)
      continue;
    ++refused;
    BOOST_TEST((r.body().find("Worker queue capacity exceeded for model: "
                              "stories260k") != std::string::npos));
  }
  BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_CASE(may_answer_only_when_the_model_is_loaded) {
  auto options = story_server();
  options.config.server.wait_model_loading = true;
  running_server server(std::move(options));
  http_client early(server.port()); // connects, and waits for its answer
  BOOST_TEST(early.exchange("GET", "/ping").body() ==
             R"({"status":"Healthy"})");
  BOOST_TEST(server.ready());
}

BOOST_AUTO_TEST_CASE(stops_when_asked_while_idle) {
  running_server server(story_server());
  BOOST_REQUIRE(server.ready());
  http_client idle(server.port());
  BOOST_TEST(idle.exchange("GET", "/ping").result_int() == 200u);
  server.server().stop();
  idle.receive_until({});
  BOOST_TEST(idle.ended());
  BOOST_TEST(server.result());
}

BOOST_AUTO_TEST_CASE(drains_before_it_stops) {
  running_server server(story_server());
  BOOST_REQUIRE(server.ready());
  http_client client(server.port());
  client.send_request("POST", "/invocations", long_stream);
  client.receive_until("\"token\"");
  server.server().stop();
  BOOST_TEST((
      client.receive_until("0\r\n\r\n").find("\"finish_reason\": \"length\"") !=
      std::string::npos));
  client.close();
  BOOST_TEST(server.result());
}

BOOST_AUTO_TEST_CASE(ends_a_drain_that_takes_too_long) {
  auto options = story_server();
  options.drain_limit = 0ms;
  running_server server(std::move(options));
  BOOST_REQUIRE(server.ready());
  http_client client(server.port());
  client.send_request("POST", "/invocations", long_stream);
  client.receive_until("\"token\"");
  server.server().stop();
  BOOST_TEST(!server.result());
}

BOOST_AUTO_TEST_CASE(ends_at_once_when_asked_twice) {
  auto options = story_server();
  options.drain_limit = 1h;
  options.limits.socket_send_bytes = 4'096;
  running_server server(std::move(options));
  BOOST_REQUIRE(server.ready());
  http_client lazy(server.port(), 4'096); // leaves most of it unread
  lazy.send_request("POST", "/invocations", long_stream);
  lazy.receive_until("\"token\"");
  server.server().stop();
  server.server().stop();
  BOOST_TEST(!server.result());
}

BOOST_AUTO_TEST_CASE(tells_of_a_model_that_cannot_be_loaded) {
  auto options = story_server();
  options.config.model.model_id = "/no/such/model";
  options.failure_linger = 1h; // until stopped
  running_server server(std::move(options));
  BOOST_REQUIRE(server.eventually(
      [](const engine_status &s) { return s.state == engine_state::failed; }));
  http_client client(server.port());
  const auto ping = client.exchange("GET", "/ping");
  BOOST_TEST(ping.result_int() == 500u);
  BOOST_TEST(ping.body() == R"({"status":"FAILED"})");
  const auto r =
      client.exchange("POST", "/invocations", R"({"inputs": "Once"})");
  BOOST_TEST(r.result_int() == 503u);
}

BOOST_AUTO_TEST_CASE(ends_after_a_failed_load) {
  auto options = story_server();
  options.config.model.model_id = "/no/such/model";
  options.failure_linger = 0ms;
  running_server server(std::move(options));
  BOOST_CHECK_EXCEPTION(server.result(), error, [](const error &e) {
    return e.code() == error_code::not_found;
  });
}

BOOST_AUTO_TEST_SUITE_END()
