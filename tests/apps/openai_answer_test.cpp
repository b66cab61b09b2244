// The bytes of OpenAI answers: whole, streamed, with choices and usage.
#include "apps/openai/completion_answer.hpp"
#include "apps/openai/openai_error.hpp"
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

const std::string head =
    R"({"id": "cmpl-1", "object": "text_completion", "created": 5, )"
    R"("model": "m", )";

completion_answer answer_to(const std::string &fields,
                            std::vector<std::string> prompts = {}) {
  return {parse_openai_call(openai_route::completions,
                            R"({"prompt": "Hi", )" + fields + "}"),
          {"cmpl-1", "m", 5},
          token_names(nullptr),
          std::move(prompts)};
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
  if (finish != finish_reason::none) {
    out.prompt_tokens = 2;
    out.cached_tokens = 1;
    out.generated_tokens = 3;
  }
  return out;
}

std::string choice(int index, const std::string &text,
                   const std::string &finish) {
  return "{\"index\": " + std::to_string(index) + ", \"text\": \"" + text +
         "\", \"logprobs\": null, \"finish_reason\": " + finish + "}";
}

std::string chunk(const std::string &choices, const std::string &rest = {}) {
  return "data: " + head + "\"choices\": [" + choices + "]" + rest + "}\n\n";
}

} // namespace

BOOST_AUTO_TEST_SUITE(openai_answer)

BOOST_AUTO_TEST_CASE(a_whole_completion) {
  auto answer = answer_to(R"("model": "m")");
  BOOST_TEST(!answer.streams());
  BOOST_TEST(answer.head().content_type == "application/json");
  BOOST_TEST(answer.take(0, event({token("He")})) == "");
  BOOST_TEST(answer.take(0, event({token(""), token(" wörld")},
                                  finish_reason::length)) == "");
  BOOST_TEST(
      answer.finish() ==
      head + "\"choices\": [" + choice(0, "He wörld", "\"length\"") +
          R"(], "usage": {"prompt_tokens": 2, "completion_tokens": 3, )"
          R"("total_tokens": 5, "prompt_tokens_details": {"cached_tokens": 1}}})");
}

BOOST_AUTO_TEST_CASE(a_stream_of_chunks) {
  auto answer = answer_to(R"("stream": true)");
  BOOST_TEST(answer.streams());
  BOOST_TEST(answer.head().content_type == "text/event-stream");
  BOOST_TEST(answer.take(0, event({token("He")})) ==
             chunk(choice(0, "He", "null")));
  // Text that is still held back makes no chunk.
  BOOST_TEST(answer.take(0, event({token("")})) == "");
  auto last = event({token("y")}, finish_reason::eos_token);
  last.text = "!";
  BOOST_TEST(answer.take(0, std::move(last)) ==
             chunk(choice(0, "y", "null")) + chunk(choice(0, "!", "null")) +
                 chunk(choice(0, "", "\"stop\"")));
  BOOST_TEST(answer.finish() == "data: [DONE]\n\n");
}

BOOST_AUTO_TEST_CASE(usage_at_the_end_of_a_stream) {
  auto answer =
      answer_to(R"("stream": true, "stream_options": {"include_usage": true})");
  BOOST_TEST(answer.take(0, event({token("He")})) ==
             chunk(choice(0, "He", "null"), ", \"usage\": null"));
  answer.take(0, event({}, finish_reason::stop_sequence));
  BOOST_TEST(answer.finish() ==
             chunk("", R"(, "usage": {"prompt_tokens": 2, )"
                       R"("completion_tokens": 3, "total_tokens": 5, )"
                       R"("prompt_tokens_details": {"cached_tokens": 1}})") +
                 "data: [DONE]\n\n");
}

BOOST_AUTO_TEST_CASE(an_echo_comes_first_and_once) {
  auto whole = answer_to(R"("echo": true)", {"Hi"});
  whole.take(0, event({token("a")}));
  whole.take(0, event({token("b")}, finish_reason::length));
  BOOST_TEST(contains(whole.finish(), "\"text\": \"Hiab\""));
  auto stream = answer_to(R"("echo": true, "stream": true)", {"Hi"});
  BOOST_TEST(stream.take(0, event({token("a")})) ==
             chunk(choice(0, "Hia", "null")));
  BOOST_TEST(stream.take(0, event({token("b")})) ==
             chunk(choice(0, "b", "null")));
}

BOOST_AUTO_TEST_CASE(an_echo_comes_though_nothing_follows) {
  auto whole = answer_to(R"("echo": true)", {"Hi"});
  whole.take(0, event({}, finish_reason::length));
  BOOST_TEST(contains(whole.finish(), "\"text\": \"Hi\""));
}

BOOST_AUTO_TEST_CASE(log_probabilities_of_prompt_and_text) {
  auto answer = answer_to(R"("echo": true, "logprobs": 1)", {"Hi"});
  auto chosen = token("é", -2);
  chosen.top.push_back({7, "a", -1, {}});
  auto first = event({std::move(chosen)});
  first.prompt = {token("H", -9), token("i", -0.5f)};
  answer.take(0, std::move(first));
  answer.take(0, event({token("!", -0.25f)}, finish_reason::length));
  const auto body = answer.finish();
  BOOST_TEST(
      contains(
          body,
          R"("text": "Hié!", "logprobs": {"tokens": ["H", "i", "é", "!"], )"
          R"("token_logprobs": [null, -0.5, -2.0, -0.25], )"
          R"("top_logprobs": [null, {"i": -0.5}, {"a": -1.0, "é": -2.0}, )"
          R"({"!": -0.25}], "text_offset": [0, 1, 2, 3]})"),
      body);
}

BOOST_AUTO_TEST_CASE(offsets_go_on_in_a_stream) {
  auto answer = answer_to(R"("logprobs": 0, "stream": true)");
  answer.take(0, event({token("éa")}));
  const auto chunk = answer.take(0, event({token("b")}));
  BOOST_TEST(contains(chunk, R"("text_offset": [2])"), chunk);
}

BOOST_AUTO_TEST_CASE(choices_in_order_with_the_prompt_counted_once) {
  auto answer = answer_to(R"("n": 2)");
  answer.take(1, event({token("second")}, finish_reason::length));
  answer.take(0, event({token("first")}, finish_reason::eos_token));
  BOOST_TEST(
      answer.finish() ==
      head + "\"choices\": [" + choice(0, "first", "\"stop\"") + ", " +
          choice(1, "second", "\"length\"") +
          R"(], "usage": {"prompt_tokens": 2, "completion_tokens": 6, )"
          R"("total_tokens": 8, "prompt_tokens_details": {"cached_tokens": 1}}})");
}

BOOST_AUTO_TEST_CASE(the_likeliest_of_several) {
  auto answer = answer_to(R"("n": 2, "best_of": 3)");
  const auto ending = [](const char *text, float logprob) {
    auto out = event({token(text, logprob)}, finish_reason::length);
    out.generated_tokens = 1;
    return out;
  };
  answer.take(0, ending("worst", -3));
  answer.take(1, ending("second", -2));
  answer.take(2, ending("best", -1));
  const auto body = answer.finish();
  BOOST_TEST(contains(body, choice(0, "best", "\"length\"") + ", " +
                                choice(1, "second", "\"length\"") + "]"),
             body);
  BOOST_TEST(contains(body, "\"completion_tokens\": 3"), body);
}

BOOST_AUTO_TEST_CASE(every_error_has_a_status_and_json) {
  for (int i = 0; i <= static_cast<int>(error_code::internal); ++i) {
    const auto code = static_cast<error_code>(i);
    const auto r = openai_refusal({code, "a \"quoted\" text", {}, "inputs"},
                                  openai_route::chat);
    BOOST_TEST(r.status >= 400u);
    const auto body = json::document::parse(r.body, "body");
    const auto error = body.root().at("error");
    BOOST_TEST(error.at("param").as_string() == "messages");
    BOOST_TEST(contains(error.at("message").as_string(), "a \"quoted\" text"));
    BOOST_TEST(!error.at("type").as_string().empty());
  }
}

BOOST_AUTO_TEST_CASE(a_full_queue_says_when_to_come_back) {
  const auto r = openai_refusal({error_code::overloaded, "full", {}, {}},
                                openai_route::completions);
  BOOST_TEST(r.status == 429u);
  BOOST_REQUIRE(r.headers.size() == 1u);
  BOOST_TEST(r.headers[0].name == "Retry-After");
  BOOST_TEST(r.body ==
             R"({"error": {"message": "full", "type": "rate_limit_error", )"
             R"("param": null, "code": "rate_limit_exceeded"}})");
}

BOOST_AUTO_TEST_CASE(a_failure_midway_ends_a_stream) {
  const auto answer = answer_to(R"("stream": true)");
  BOOST_TEST(answer.broken_off({error_code::timed_out, "late", {}, {}}) ==
             "data: {\"error\": {\"message\": \"late\", \"type\": "
             "\"server_error\", \"param\": null, \"code\": \"timed_out\"}}"
             "\n\n");
}

BOOST_AUTO_TEST_SUITE_END()
