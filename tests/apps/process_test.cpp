// The program as a process: signals, pipes and exit codes.
#include "tests/apps/child_process.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/fixtures.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>

using namespace ganglion::testing;

namespace {

const std::string model = stories260k();

/// A server and the port that it printed.
struct serving {
  child_process child{{"serve", "--model", model, "--port", "0"}};
  std::uint16_t port = 0;

  serving() {
    const auto line = child.read_line();
    const std::string before = "listening on http://127.0.0.1:";
    BOOST_REQUIRE_MESSAGE(line.starts_with(before), line);
    port = static_cast<std::uint16_t>(std::stoi(line.substr(before.size())));
  }
  void wait_until_healthy() const {
    http_client client(port);
    for (std::string body; body != R"({"status":"Healthy"})";) {
      const auto r = client.exchange("GET", "/ping");
      BOOST_REQUIRE(r.result_int() == 200u);
      body = r.body();
    }
  }
};

const std::string long_stream =
    R"({"inputs": "Once upon a time", "stream": true, "parameters": )"
    R"({"max_new_tokens": 500, "ignore_eos": true, "details": true}})";

} // namespace

BOOST_AUTO_TEST_SUITE(process)

BOOST_AUTO_TEST_CASE(serves_and_ends_on_sigterm) {
  serving server;
  server.wait_until_healthy();
  http_client client(server.port);
  client.send_request("POST", "/invocations", long_stream);
  client.receive_until("\"token\"");
  server.child.signal(SIGTERM);
  const auto rest = client.receive_until("0\r\n\r\n");
  BOOST_TEST((rest.find("\"generated_tokens\": ") != std::string::npos));
  client.close();
  BOOST_TEST(server.child.wait() == 0);
}

BOOST_AUTO_TEST_CASE(ends_while_loading_or_idle) {
  serving server;
  server.child.signal(SIGINT);
  BOOST_TEST(server.child.wait() == 0);
}

BOOST_AUTO_TEST_CASE(ends_when_nobody_reads) {
  child_process child({"generate", "--model", model, "Once upon a time",
                       "--max-new-tokens", "500"});
  child.close_output();
  BOOST_TEST(child.wait() == 1);
}

BOOST_AUTO_TEST_CASE(tells_errors_by_exit_code) {
  BOOST_TEST(child_process({"generate", "--model", "/no/such", "a"}).wait() ==
             1);
  BOOST_TEST(child_process({"generate", "--bogus"}).wait() == 2);
  BOOST_TEST(child_process({"--version"}).wait() == 0);
  BOOST_TEST(
      child_process({"serve", "--model", model, "--host", "nowhere"}).wait() ==
      2);
}

BOOST_AUTO_TEST_SUITE_END()
