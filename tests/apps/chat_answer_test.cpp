// The bytes of chat answers: messages, deltas and log-probabilities.
#include "apps/openai/chat_answer.hpp"
#include "runtime/json/reader.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using ganglion::testing::contains;
using runtime::finish_reason;
using runtime::generated_token;
using runtime::generation_event;

namespace {

const std::string start = R"({"id": "chatcmpl-1", "object": )";
const std::string middle = R"(, "created": 5, "model": "m", "choices": [)"
                           R"({"index": 0, )";

chat_answer answer_to(const std::string &fields) {
  return {
      parse_openai_call(openai_route::chat,
                        R"({"messages": [{"role": "user", "content": "Hi"}])" +
                            fields + "}"),
      {"chatcmpl-1", "m", 5},
      nullptr};
}

generated_token token(std::string text, float logprob = -1) {
  generated_token out;
  out.text = std::move(text);
  out.logprob = logprob;
  return out;
}

generation_event event(std::vector<generated_token> tokens,
                       finish_reason finish = finish_reason::none) {
  generation_event out;
  out.tokens = std::move(tokens);
  out.finish = finish;
  return out;
}

std::string chunk(const std::string &rest) {
  return "data: " + start + "\"chat.completion.chunk\"" + middle + rest +
         "}]}\n\n";
}

} // namespace

BOOST_AUTO_TEST_SUITE(chat_answer)

BOOST_AUTO_TEST_CASE(a_whole_message) {
  auto answer = answer_to("");
  answer.take(0, event({token("He"), token("y")}, finish_reason::eos_token));
  const auto body = answer.finish();
  BOOST_TEST(
      body.starts_with(start + "\"chat.completion\"" + middle +
                       R"("message": {"role": "assistant", "content": "Hey", )"
                       R"("refusal": null}, "logprobs": null, )"
                       R"("finish_reason": "stop"}], "usage": {)"),
      body);
}

BOOST_AUTO_TEST_CASE(deltas_with_the_role_once) {
  auto answer = answer_to(R"(, "stream": true)");
  BOOST_TEST(answer.take(0, event({token("He")})) ==
             chunk(R"("delta": {"role": "assistant", "content": "He"}, )"
                   R"("logprobs": null, "finish_reason": null)"));
  BOOST_TEST(
      answer.take(0, event({token("y")}, finish_reason::length)) ==
      chunk(R"("delta": {"content": "y"}, "logprobs": null, )"
            R"("finish_reason": null)") +
          chunk(R"("delta": {}, "logprobs": null, "finish_reason": "length")"));
}

BOOST_AUTO_TEST_CASE(log_probabilities_with_bytes) {
  auto answer = answer_to(R"(, "logprobs": true, "top_logprobs": 1)");
  auto chosen = token("ö", -0.5f);
  chosen.top.push_back({7, "a", -0.25f, {}});
  answer.take(0, event({std::move(chosen)}, finish_reason::length));
  const auto body = answer.finish();
  BOOST_TEST(
      contains(body,
               R"("logprobs": {"content": [{"token": "ö", "logprob": -0.5, )"
               R"("bytes": [195, 182], "top_logprobs": [{"token": "a", )"
               R"("logprob": -0.25, "bytes": [97]}]}], "refusal": null})"),
      body);
}

BOOST_AUTO_TEST_CASE(half_a_character_does_not_end_a_stream) {
  auto answer = answer_to(R"(, "stream": true, "logprobs": true)");
  // The first byte of a character adds no text yet; it is told all the same.
  auto half = token("");
  half.bytes = "\xc3";
  const auto first = answer.take(0, event({std::move(half)}));
  BOOST_TEST(contains(first, R"("bytes": [195])"), first);
  auto rest = token("ö");
  rest.bytes = "\xb6";
  const auto second = answer.take(0, event({std::move(rest)}));
  BOOST_TEST(contains(second, R"("content": "ö")"), second);
  BOOST_TEST(contains(second, R"("bytes": [182])"), second);
}

BOOST_AUTO_TEST_CASE(the_end_of_text_is_in_no_list) {
  auto answer = answer_to(R"(, "logprobs": true)");
  auto end = token("");
  end.special = true;
  answer.take(0,
              event({token("Hi"), std::move(end)}, finish_reason::eos_token));
  const auto body = json::document::parse(answer.finish(), "body");
  const auto choice = body.root().at("choices").items().front();
  BOOST_TEST(choice.at("logprobs").at("content").size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
