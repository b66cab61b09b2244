// Tools over HTTP: offered to a small model, called because it must.
#include "runtime/json/reader.hpp"
#include "tests/apps/chatty_stories.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

const std::string tools =
    R"("tools": [{"type": "function", "function": {"name": "look",
        "description": "Looks.", "parameters": {"type": "object",
        "properties": {"place": {"enum": ["home", "sea"]},
                       "n": {"type": "integer", "minimum": 1, "maximum": 9}},
        "required": ["place", "n"]}}},
      {"type": "function", "function": {"name": "stop"}}])";

http_client::response chat(const running_server &server,
                           const std::string &fields) {
  http_client client(server.port());
  return client.exchange(
      "POST", "/v1/chat/completions",
      R"({"messages": [{"role": "user", "content": "Lily"}], )"
      R"("temperature": 0, "max_tokens": 120, )" +
          fields + "}");
}

/// What the events of a stream put together: of the first call.
struct streamed_call {
  std::string id, name, arguments, finish;
  std::size_t pieces = 0;
};

streamed_call put_together(const std::string &body) {
  streamed_call out;
  const std::string mark = "data: {";
  for (std::size_t at = body.find(mark); at != std::string::npos;
       at = body.find(mark, at + 1)) {
    const auto line = body.substr(at + 6, body.find('\n', at) - at - 6);
    const auto document = json::document::parse(line, "event");
    const auto choice = document.root().at("choices").items()[0];
    if (const auto finish = choice.find("finish_reason"))
      out.finish = finish->as_string();
    const auto calls = choice.at("delta").find("tool_calls");
    if (!calls)
      continue;
    const auto call = calls->items()[0];
    BOOST_TEST(call.at("index").as_int() == 0);
    const auto function = call.at("function");
    out.id += call.get_string("id", "");
    out.name += function.get_string("name", "");
    out.arguments += function.at("arguments").as_string();
    ++out.pieces;
  }
  return out;
}

void check_arguments(const std::string &text) {
  const auto document = json::document::parse(text, "arguments");
  const auto place = document.root().at("place").as_string();
  BOOST_TEST((place == "home" || place == "sea"), text);
  const auto n = document.root().at("n").as_int();
  BOOST_TEST((n >= 1 && n <= 9), text);
}

const std::string look =
    R"(, "tool_choice": {"type": "function", "function": {"name": "look"}})";

} // namespace

BOOST_AUTO_TEST_SUITE(tool_calls)

BOOST_AUTO_TEST_CASE(a_named_tool_is_called) {
  const chatty_stories model("chat/tools.jinja");
  running_server server(model.options());
  BOOST_REQUIRE(server.ready());
  const auto answer = chat(server, tools + look);
  BOOST_TEST_REQUIRE(answer.result_int() == 200u, answer.body());
  const auto document = json::document::parse(answer.body(), "answer");
  const auto choice = document.root().at("choices").items()[0];
  BOOST_TEST(choice.at("finish_reason").as_string() == "tool_calls");
  const auto message = choice.at("message");
  BOOST_TEST(!message.find("content"));
  const auto calls = message.at("tool_calls").items();
  BOOST_TEST_REQUIRE(calls.size() == 1u);
  BOOST_TEST(calls[0].at("type").as_string() == "function");
  BOOST_TEST(calls[0].at("id").as_string().size() == 9u);
  const auto function = calls[0].at("function");
  BOOST_TEST(function.at("name").as_string() == "look");
  check_arguments(function.at("arguments").as_string());

  // Streamed, it is the same call in pieces.
  const auto stream = chat(server, tools + look + R"(, "stream": true)");
  const auto heard = put_together(stream.body());
  BOOST_TEST(heard.name == "look");
  BOOST_TEST(heard.id.size() == 9u);
  BOOST_TEST(heard.arguments == function.at("arguments").as_string());
  BOOST_TEST(heard.finish == "tool_calls");
  BOOST_TEST(heard.pieces > 2u);
}

BOOST_AUTO_TEST_CASE(required_means_one_of_the_tools) {
  const chatty_stories model("chat/tools.jinja");
  running_server server(model.options());
  BOOST_REQUIRE(server.ready());
  const auto answer =
      chat(server, tools + R"(, "tool_choice": "required", "seed": 3,
                               "parallel_tool_calls": false, "n": 2)");
  BOOST_TEST_REQUIRE(answer.result_int() == 200u, answer.body());
  const auto document = json::document::parse(answer.body(), "answer");
  for (const auto &choice : document.root().at("choices").items()) {
    const auto calls = choice.at("message").at("tool_calls").items();
    BOOST_TEST_REQUIRE(calls.size() == 1u);
    const auto name = calls[0].at("function").at("name").as_string();
    BOOST_TEST((name == "look" || name == "stop"), name);
  }
}

BOOST_AUTO_TEST_CASE(the_model_may_leave_tools_alone) {
  const chatty_stories model("chat/tools.jinja");
  running_server server(model.options());
  BOOST_REQUIRE(server.ready());
  for (const char *choice : {"", R"(, "tool_choice": "none")"}) {
    const auto answer = chat(server, tools + choice);
    BOOST_TEST_REQUIRE(answer.result_int() == 200u, answer.body());
    BOOST_TEST(contains(answer.body(), "\"finish_reason\": \"length\""),
               answer.body());
    BOOST_TEST(!contains(answer.body(), "tool_calls"));
    BOOST_TEST(!contains(answer.body(), "</s>"));
  }
  // Without the choice the prompt has no tools in it.
  const auto prompt_tokens = [&](const std::string &fields) {
    const auto answer = chat(server, fields);
    const auto document = json::document::parse(answer.body(), "answer");
    return document.root().at("usage").at("prompt_tokens").as_int();
  };
  const auto without = prompt_tokens("\"n\": 1");
  BOOST_TEST(prompt_tokens(tools + R"(, "tool_choice": "none")") == without);
  BOOST_TEST(prompt_tokens(tools) > without);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused_by_name) {
  const chatty_stories with("chat/tools.jinja"), without;
  running_server server(with.options()), plain(without.options());
  BOOST_REQUIRE(server.ready());
  BOOST_REQUIRE(plain.ready());
  const auto refused = [](const running_server &by, const std::string &fields,
                          const char *field) {
    const auto answer = chat(by, fields);
    BOOST_TEST(answer.result_int() == 400u, answer.body());
    BOOST_TEST(contains(answer.body(), "\"param\": \"" + std::string(field)),
               answer.body());
  };
  refused(plain, tools, "tools");
  refused(server, R"("tool_choice": "required")", "tool_choice");
  refused(server, tools + R"(, "tool_choice": "sometimes")", "tool_choice");
  refused(server, tools + R"(, "tool_choice":
            {"type": "function", "function": {"name": "x"}})",
          "tool_choice");
  refused(server, tools + R"(, "response_format": {"type": "json_object"})",
          "tools");
  refused(server,
          R"("tools": [{"type": "function", "function": {"name": ""}}])",
          "tools[0].function.name");
  refused(server, R"("tools": [{"type": "code"}])", "tools[0].type");
  refused(server,
          R"("tool_choice": "required", "tools": [{"type": "function",
            "function": {"name": "a", "parameters": {"not": {}}}}])",
          "tools[0].function.parameters.not");
}

BOOST_AUTO_TEST_SUITE_END()
