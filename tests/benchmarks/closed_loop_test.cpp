// The load generator against a small server in this process.
#include "benchmarks/net/closed_loop.hpp"
#include "benchmarks/net/server_process.hpp"
#include "hlo/support/error.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ganglion;
using namespace ganglion::benchmarks;

namespace {

/// Answers `requests` requests, one connection after the other, with the same
/// bytes, and closes each connection.
class canned_server {
public:
  canned_server(std::string answer, int requests)
      : answer_(std::move(answer)),
        listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto *plain = reinterpret_cast<sockaddr *>(&address);
    BOOST_REQUIRE(::bind(listener_, plain, size) == 0);
    BOOST_REQUIRE(::listen(listener_, 16) == 0);
    BOOST_REQUIRE(::getsockname(listener_, plain, &size) == 0);
    place = {"127.0.0.1", ntohs(address.sin_port)};
    thread_ = std::thread([this, requests] {
      for (int i = 0; i < requests; ++i)
        answer_one();
    });
  }
  ~canned_server() {
    thread_.join();
    ::close(listener_);
  }

  endpoint place;
  std::vector<std::string> received;

private:
  void answer_one() {
    const int client = ::accept(listener_, nullptr, nullptr);
    std::string text;
    char buffer[4096];
    while (text.find("\r\n\r\n") == std::string::npos || text.back() != '}') {
      const auto n = ::recv(client, buffer, sizeof buffer, 0);
      if (n <= 0)
        break;
      text.append(buffer, static_cast<std::size_t>(n));
    }
    received.push_back(text);
    ::send(client, answer_.data(), answer_.size(), MSG_NOSIGNAL);
    ::close(client);
  }

  std::string answer_;
  int listener_;
  std::thread thread_;
};

std::string with_body(const std::string &status, const std::string &body) {
  return "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

load_settings two_clients() {
  load_settings s;
  s.clients = 2;
  s.requests = 3;
  s.prompt_length = 10;
  s.new_tokens = 2;
  s.limit = std::chrono::seconds(20);
  return s;
}

} // namespace

BOOST_AUTO_TEST_SUITE(closed_loop)

BOOST_AUTO_TEST_CASE(every_line_of_every_answer_is_counted) {
  canned_server server(with_body("200 OK", "{\"token\": 1}\n{\"token\": 2}\n"),
                       6);
  const auto result = run_closed_loop(server.place, two_clients());
  BOOST_TEST(result.samples.tokens == 12u);
  BOOST_TEST(result.samples.first_token.size() == 6u);
  BOOST_TEST(result.samples.gap.size() == 6u);
  BOOST_TEST(result.samples.request.size() == 6u);
  BOOST_TEST(result.seconds > 0);
}

BOOST_AUTO_TEST_CASE(requests_carry_what_was_asked_for) {
  std::vector<std::string> received;
  {
    canned_server server(with_body("200 OK", "{\"token\": 1}\n"), 1);
    auto s = two_clients();
    s.clients = s.requests = 1;
    run_closed_loop(server.place, s);
    received = server.received;
  }
  BOOST_TEST(received.at(0).starts_with("POST /invocations HTTP/1.1\r\n"));
  BOOST_TEST(received.at(0).find("\"inputs\": \"" + prompt_text(10, 0)) !=
             std::string::npos);
  BOOST_TEST(received.at(0).find("\"max_new_tokens\": 2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_error_ends_the_round_with_its_text) {
  canned_server server(with_body("424 Failed", "{\"error\": \"no\"}"), 1);
  auto s = two_clients();
  s.clients = 1;
  BOOST_CHECK_EXCEPTION(
      run_closed_loop(server.place, s), error, [](const error &e) {
        return e.describe().find("424") != std::string::npos &&
               e.describe().find("\"no\"") != std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(nobody_at_the_port_is_an_error) {
  endpoint gone;
  {
    canned_server server("", 0);
    gone = server.place;
  }
  BOOST_CHECK_THROW(run_closed_loop(gone, two_clients()), error);
}

BOOST_AUTO_TEST_CASE(only_loopback_is_loaded) {
  BOOST_CHECK_THROW(run_closed_loop({"192.0.2.1", 80}, two_clients()), error);
}

BOOST_AUTO_TEST_CASE(a_program_that_prints_no_address_is_an_error) {
  BOOST_CHECK_THROW(server_process("true", {}, std::chrono::seconds(20)),
                    error);
  BOOST_CHECK_THROW(
      server_process("/nowhere/program", {}, std::chrono::seconds(20)), error);
}

BOOST_AUTO_TEST_CASE(the_address_is_found_in_its_line) {
  const auto found = endpoint_in("listening on http://127.0.0.1:8123\n");
  BOOST_TEST(found.host == "127.0.0.1");
  BOOST_TEST(found.port == 8123);
  BOOST_TEST(endpoint_in("nothing here").port == 0);
}

BOOST_AUTO_TEST_SUITE_END()
