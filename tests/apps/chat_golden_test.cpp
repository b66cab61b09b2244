// Conversations with models that have published templates, against what
// HuggingFace's own code made of them. Half of their tokens are no UTF-8.
#include "runtime/json/reader.hpp"
#include "runtime/json/writer.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <sstream>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

std::string body_of(const json::value &golden, const std::string &fields) {
  return "{\"messages\": " + golden.at("messages").dump() +
         R"(, "temperature": 0, "max_tokens": 24, "logprobs": true, )"
         R"("top_logprobs": 2)" +
         fields + "}";
}

/// What was said, and the bytes of all its tokens.
struct said {
  std::string text, bytes;
  std::size_t tokens = 0;

  void add(const json::value &choice, const char *message) {
    text += choice.at(message).get_string("content", "");
    const auto logprobs = choice.find("logprobs");
    if (!logprobs)
      return;
    for (const auto &token : logprobs->at("content").items()) {
      ++tokens;
      for (const auto &byte : token.at("bytes").items())
        bytes += static_cast<char>(byte.as_int());
    }
  }
};

said whole(std::uint16_t port, const std::string &body) {
  http_client client(port);
  const auto r = client.exchange("POST", "/v1/chat/completions", body);
  BOOST_TEST_REQUIRE(r.result_int() == 200u, r.body());
  said out;
  const auto answer = json::document::parse(r.body(), "answer");
  out.add(answer.root().at("choices").items()[0], "message");
  return out;
}

said streamed(std::uint16_t port, const std::string &body) {
  http_client client(port);
  const auto r = client.exchange("POST", "/v1/chat/completions", body);
  BOOST_TEST_REQUIRE(r.result_int() == 200u, r.body());
  said out;
  bool done = false;
  std::istringstream lines(r.body());
  for (std::string line; std::getline(lines, line) && !done;) {
    done = line == "data: [DONE]";
    if (done || !line.starts_with("data: "))
      continue;
    const auto event = json::document::parse(line.substr(6), "event");
    out.add(event.root().at("choices").items()[0], "delta");
  }
  BOOST_TEST(done, r.body());
  return out;
}

/// HuggingFace decodes the new ids alone, which drops a leading space.
std::string without_leading_space(const std::string &text) {
  return text.starts_with(' ') ? text.substr(1) : text;
}

void check_chats(const std::string &directory) {
  auto options = story_server();
  options.config.model.model_id = directory;
  running_server server(options);
  BOOST_TEST_REQUIRE(server.ready());
  const auto expected = json::document::load(directory + "/expected.json");
  for (const auto &golden : expected.root().at("chats").items()) {
    const auto text = golden.at("text_until_eos_skip_special").as_string();
    const auto once = whole(server.port(), body_of(golden, ""));
    BOOST_TEST(without_leading_space(once.text) == without_leading_space(text));
    const auto stream =
        streamed(server.port(), body_of(golden, R"(, "stream": true)"));
    BOOST_TEST(stream.text == once.text);
    BOOST_TEST(stream.bytes == once.bytes);
    const auto longest =
        streamed(server.port(),
                 body_of(golden, R"(, "stream": true, "ignore_eos": true)"));
    BOOST_TEST(without_leading_space(longest.text) ==
               without_leading_space(
                   golden.at("text_ignoring_eos_skip_special").as_string()));
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(chat_golden)

BOOST_AUTO_TEST_CASE(published_templates) {
  for (const char *name : {"e2e-llama2-chat", "e2e-llama3-chat"}) {
    const std::string directory = goldens() + "/e2e/" + name;
    if (goldens().empty() || !std::filesystem::exists(directory)) {
      BOOST_TEST_MESSAGE("skipped: set GANGLION_GOLDENS to test " << name);
      continue;
    }
    BOOST_TEST_CONTEXT(name) { check_chats(directory); }
  }
}

BOOST_AUTO_TEST_SUITE_END()
