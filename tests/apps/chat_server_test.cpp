// Conversations with a running server whose model has a small template.
#include "runtime/json/reader.hpp"
#include "tests/apps/chatty_stories.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

http_client::response ask(const running_server &server, const char *route,
                          const std::string &body) {
  http_client client(server.port());
  return client.exchange("POST", route, body);
}

http_client::response chat(const running_server &server,
                           const std::string &fields) {
  return ask(server, "/v1/chat/completions",
             R"({"messages": [{"role": "user", "content": "Lily"}], )"
             R"("temperature": 0, "max_tokens": 6)" +
                 fields + "}");
}

json::document parsed(const http_client::response &r) {
  return json::document::parse(r.body(), "answer");
}

std::string content_of(const http_client::response &r) {
  return parsed(r)
      .root()
      .at("choices")
      .items()[0]
      .at("message")
      .at("content")
      .as_string();
}

} // namespace

BOOST_AUTO_TEST_SUITE(chat_server)

BOOST_AUTO_TEST_CASE(continues_what_the_template_makes) {
  const chatty_stories model;
  running_server server(model.options());
  BOOST_REQUIRE(server.ready());
  const auto answer = chat(server, "");
  BOOST_REQUIRE(answer.result_int() == 200u);
  const auto same = ask(
      server, "/v1/completions",
      R"({"prompt": "<s>Lily. Once upon a time", "add_special_tokens": false, )"
      R"("temperature": 0, "max_tokens": 6})");
  BOOST_TEST(
      content_of(answer) ==
      parsed(same).root().at("choices").items()[0].at("text").as_string());
  const auto usage = [](const http_client::response &r, const char *member) {
    return parsed(r).root().at("usage").at(member).as_int();
  };
  BOOST_TEST(usage(answer, "completion_tokens") == 6);
  // A variable of the request's own makes the prompt longer.
  const auto longer =
      chat(server, R"(, "chat_template_kwargs": {"ending": " was there. "})");
  BOOST_TEST(usage(longer, "prompt_tokens") > usage(answer, "prompt_tokens"));
}

BOOST_AUTO_TEST_CASE(a_stream_says_the_same) {
  const chatty_stories model;
  running_server server(model.options());
  BOOST_REQUIRE(server.ready());
  const auto whole = content_of(chat(server, ""));
  const auto stream = chat(server, R"(, "stream": true)");
  BOOST_TEST(stream["Content-Type"] == "text/event-stream");
  std::istringstream lines(stream.body());
  std::string text, last;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("data: "))
      continue;
    last = line.substr(6);
    if (last == "[DONE]")
      break;
    const auto event = json::document::parse(last, "event");
    text += event.root().at("choices").items()[0].at("delta").get_string(
        "content", "");
  }
  BOOST_TEST(text == whole);
  BOOST_TEST(last == "[DONE]");
}

BOOST_AUTO_TEST_CASE(without_a_limit_it_goes_to_the_last_position) {
  const chatty_stories model;
  running_server server(model.options());
  BOOST_REQUIRE(server.ready());
  const auto answer =
      ask(server, "/v1/chat/completions",
          R"({"messages": [{"role": "user", "content": "Lily"}], )"
          R"("temperature": 0, "ignore_eos": true})");
  const auto body = parsed(answer);
  BOOST_TEST(body.root().at("usage").at("total_tokens").as_int() >= 512);
}

BOOST_AUTO_TEST_CASE(a_model_without_a_template_says_so) {
  running_server server(story_server());
  BOOST_REQUIRE(server.ready());
  const auto answer = chat(server, "");
  BOOST_TEST(answer.result_int() == 400u);
  BOOST_TEST(contains(answer.body(), R"("param": "messages")"), answer.body());
}

BOOST_AUTO_TEST_SUITE_END()
