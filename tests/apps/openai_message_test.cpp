// The messages of a chat: their forms, and what is refused by name.
#include "apps/openai/message_field.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using ganglion::testing::contains;
using ganglion::testing::error_text;

namespace {

runtime::chat::value read(const std::string &messages) {
  const auto document = json::document::parse(messages, "request");
  return apps::read_messages(document.root());
}

std::string text_of(const runtime::chat::value &message, const char *member) {
  const auto *v = message.find(member);
  return v != nullptr && v->is_string() ? v->as_string() : "none";
}

} // namespace

BOOST_AUTO_TEST_SUITE(openai_message)

BOOST_AUTO_TEST_CASE(texts_and_parts) {
  const auto messages = read(R"([
      {"role": "developer", "content": "Be brief."},
      {"role": "user", "content": [{"type": "text", "text": "a"},
                                   {"type": "text", "text": "b"}]},
      {"role": "assistant", "content": "c", "refusal": null,
       "function_call": null, "annotations": [], "audio": null},
      {"role": "tool", "content": "d", "tool_call_id": "1"}])");
  BOOST_REQUIRE(messages.items().size() == 4u);
  BOOST_TEST(text_of(messages.items()[0], "role") == "system");
  BOOST_TEST(text_of(messages.items()[1], "content") == "a\nb");
  BOOST_TEST(text_of(messages.items()[2], "content") == "c");
  BOOST_TEST(text_of(messages.items()[2], "refusal") == "none");
  BOOST_TEST(text_of(messages.items()[3], "tool_call_id") == "1");
}

BOOST_AUTO_TEST_CASE(arguments_of_tool_calls_become_dictionaries) {
  const auto messages = read(R"([{"role": "assistant", "content": null,
      "tool_calls": [{"id": "1", "type": "function", "function":
          {"name": "f", "arguments": "{\"city\": \"Rome\"}"}}]}])");
  const auto &message = messages.items().front();
  BOOST_TEST(message.find("content")->is_none());
  const auto &call = message.find("tool_calls")->items().front();
  BOOST_TEST(text_of(*call.find("function")->find("arguments"), "city") ==
             "Rome");
}

BOOST_AUTO_TEST_CASE(arguments_that_are_no_json) {
  const auto text = error_text([] {
    read(R"([{"role": "assistant", "tool_calls": [{"function":
        {"name": "f", "arguments": "{"}}]}])");
  });
  BOOST_TEST(contains(text, "not valid JSON"), text);
}

BOOST_AUTO_TEST_SUITE_END()
