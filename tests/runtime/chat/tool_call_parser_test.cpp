#include "runtime/chat/tool_call_parser.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace ganglion::runtime;

namespace {

/// What a client puts together of all pieces: "content|name(arguments)...".
struct heard {
  std::string content;
  std::vector<std::pair<std::string, std::string>> calls;

  void add(const parsed_text &parsed) {
    content += parsed.content;
    for (const auto &piece : parsed.calls) {
      if (!piece.name.empty())
        calls.emplace_back(piece.name, "");
      BOOST_TEST_REQUIRE(piece.index + 1 == calls.size());
      calls.back().second += piece.arguments;
    }
  }
  std::string text() const {
    std::string out = content;
    for (const auto &[name, arguments] : calls)
      out += "|" + name + "(" + arguments + ")";
    return out;
  }
};

std::string parsed(tool_syntax syntax, const std::string &text,
                   const std::vector<std::size_t> &cuts = {}) {
  tool_call_parser parser(syntax, {"f", "g\"h"});
  heard out;
  std::size_t at = 0;
  for (const std::size_t cut : cuts) {
    out.add(parser.push(std::string_view(text).substr(at, cut - at)));
    at = cut;
  }
  out.add(parser.push(std::string_view(text).substr(at)));
  out.add(parser.finish());
  BOOST_TEST(parser.calls() == out.calls.size());
  return out.text();
}

struct parse_case {
  tool_syntax syntax;
  const char *text, *expected;
};

constexpr auto tagged = tool_syntax::tagged;
constexpr auto bare = tool_syntax::bare;
constexpr auto listed = tool_syntax::listed;

const parse_case cases[] = {
    {tagged, "just text ", "just text "},
    {tagged, "", ""},
    {tagged,
     "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>",
     "|f({\"a\": 1})"},
    {tagged,
     "I look.\n<tool_call>{\"arguments\": {}, \"name\": \"f\"}</tool_call>\n"
     "<tool_call>{\"name\": \"g\\\"h\", \"arguments\": "
     "[\"}\\\"\"]}</tool_call>",
     "I look.|f({})|g\"h([\"}\\\"\"])"},
    {tagged, "a <tool_cal b < c", "a <tool_cal b < c"},
    {tagged, "<tool_call>{\"name\": \"f\"}</tool_call>", "|f({})"},
    {tagged, "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": [1",
     "|f({\"a\": [1)"},
    {tagged, "<tool_call>{\"name\": \"x\", \"arguments\": {}}</tool_call>",
     "{\"name\": \"x\", \"arguments\": {}}"},
    {tagged, "<tool_call>{\"nam", "{\"nam"},
    {tagged, "<tool_call>nothing", "nothing"},
    {tagged,
     "<tool_call>{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}</tool_call>",
     "|f({\"a\":1})"},
    {bare, "{\"name\": \"f\", \"parameters\": {\"x\": {\"y\": 2}}}",
     "|f({\"x\": {\"y\": 2}})"},
    {bare, "  <|python_tag|>{\"name\": \"f\", \"parameters\": {}}", "|f({})"},
    {bare, "{\"other\": 1}", "{\"other\": 1}"},
    {bare, "so {\"name\": \"f\", \"parameters\": {}}",
     "so {\"name\": \"f\", \"parameters\": {}}"},
    {listed,
     "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"a\": 1}}, {\"name\": "
     "\"f\", \"arguments\": {\"a\": 2}}]",
     "|f({\"a\": 1})|f({\"a\": 2})"},
    {listed, "text [1, 2]", "text [1, 2]"},
};

} // namespace

BOOST_AUTO_TEST_SUITE(tool_call_parser)

BOOST_AUTO_TEST_CASE(finds_calls_however_the_text_is_cut) {
  std::mt19937 random(4);
  for (const auto &c : cases) {
    const std::string text = c.text;
    BOOST_TEST(parsed(c.syntax, text) == c.expected);
    for (int round = 0; round < 50; ++round) {
      std::vector<std::size_t> cuts;
      for (std::size_t at = 0; at < text.size(); at += 1 + random() % 7)
        cuts.push_back(at);
      BOOST_TEST(parsed(c.syntax, text, cuts) == c.expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(arguments_come_as_they_are_written) {
  ganglion::runtime::tool_call_parser parser(tagged, {"f"});
  heard all;
  const auto push = [&](const char *text) {
    const auto now = parser.push(text);
    all.add(now);
    return now;
  };
  BOOST_TEST(push("<tool_call>{\"name\": \"f").calls.empty());
  BOOST_TEST(push("\", ").calls.front().name == "f");
  BOOST_TEST(push("\"arguments\": {\"a\"").calls.front().arguments == "{\"a\"");
  BOOST_TEST(push(": \"b c").calls.front().arguments == ": \"b c");
  BOOST_TEST(push("\"}").calls.front().arguments == "\"}");
  BOOST_TEST(push("}</tool_call> ").calls.empty());
  BOOST_TEST(all.text() == "|f({\"a\": \"b c\"})");
}

BOOST_AUTO_TEST_CASE(templates_tell_how_calls_are_written) {
  BOOST_TEST(
      (tool_syntax_of("{{ messages }} <tool_call>") == tool_syntax::none));
  BOOST_TEST(
      (tool_syntax_of("{% if tools %}in <tool_call></tool_call>") == tagged));
  BOOST_TEST((tool_syntax_of("{% if tools %}[TOOL_CALLS]") == listed));
  BOOST_TEST(
      (tool_syntax_of("{% if tools %}Respond in the format {\"name\": "
                      "function name, \"parameters\": dictionary}") == bare));
  BOOST_TEST((tool_syntax_of("{{ tools }}") == tool_syntax::none));
}

BOOST_AUTO_TEST_SUITE_END()
