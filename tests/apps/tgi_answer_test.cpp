// The bytes of TGI's answers: objects, lists, events and errors.
#include "apps/tgi/tgi_answer.hpp"
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

tgi_answer answer_to(const std::string &parameters,
                     tgi_route route = tgi_route::generate) {
  return tgi_answer(parse_tgi_call(
      route, R"({"inputs": "Hi", "parameters": {)" + parameters + "}}", false));
}

generated_token token(std::int32_t id, std::string text, float logprob) {
  generated_token out;
  out.id = id;
  out.text = std::move(text);
  out.logprob = logprob;
  return out;
}

generation_event event(std::vector<generated_token> tokens,
                       finish_reason finish = finish_reason::none) {
  generation_event out;
  out.tokens = std::move(tokens);
  out.finish = finish;
  out.prompt_tokens = finish == finish_reason::none ? 0 : 4;
  return out;
}

const std::string first =
    R"({"id": 244, "text": "He", "logprob": -0.3, "special": false})";
const std::string second =
    R"({"id": 45, "text": "ö", "logprob": -0.5, "special": false})";

void run(tgi_answer &answer) {
  answer.take(0, event({token(244, "He", -0.3f)}));
  answer.take(0, event({token(45, "ö", -0.5f)}, finish_reason::length));
}

} // namespace

BOOST_AUTO_TEST_SUITE(tgi_answer)

BOOST_AUTO_TEST_CASE(whole) {
  auto plain = answer_to("");
  run(plain);
  BOOST_TEST(plain.head().content_type == "application/json");
  BOOST_TEST(plain.finish() == R"({"generated_text": "Heö"})");
  auto full = answer_to(R"("return_full_text": true)", tgi_route::root);
  run(full);
  BOOST_TEST(full.finish() == R"([{"generated_text": "HiHeö"}])");
}

BOOST_AUTO_TEST_CASE(details) {
  auto answer = answer_to(R"("details": true, "seed": 9)");
  run(answer);
  BOOST_TEST(answer.finish() ==
             R"({"generated_text": "Heö", "details": {"finish_reason": )"
             R"("length", "generated_tokens": 2, "seed": 9, "prefill": [], )"
             R"("tokens": [)" +
                 first + ", " + second + "]}}");
}

BOOST_AUTO_TEST_CASE(details_of_the_prompt_and_alternatives) {
  auto answer = answer_to(
      R"("details": true, "decoder_input_details": true, "top_n_tokens": 1)");
  auto chosen = token(45, "ö", -0.5f);
  chosen.top.push_back({7, "a", -0.25f, {}});
  auto only = event({std::move(chosen)}, finish_reason::length);
  only.prompt = {token(9, "Hi", -2)};
  answer.take(0, std::move(only));
  const auto body = answer.finish();
  BOOST_TEST(contains(body, R"("prefill": [{"id": 9, "text": "Hi", )"
                            R"("logprob": -2.0}], "tokens": [{"id": 45)"),
             body);
  BOOST_TEST(contains(body, R"("top_tokens": [[{"id": 7, "text": "a", )"
                            R"("logprob": -0.25, "special": false}]])"),
             body);
}

BOOST_AUTO_TEST_CASE(events) {
  auto answer = answer_to(R"("details": true)", tgi_route::generate_stream);
  BOOST_TEST(answer.streams());
  BOOST_TEST(answer.head().content_type == "text/event-stream");
  BOOST_TEST(answer.take(0, event({token(244, "He", -0.3f)})) ==
             "data: {\"index\": 1, \"token\": " + first +
                 ", \"generated_text\": null, \"details\": null}\n\n");
  BOOST_TEST(
      answer.take(0, event({token(45, "ö", -0.5f)}, finish_reason::length)) ==
      "data: {\"index\": 2, \"token\": " + second +
          R"(, "generated_text": "Heö", "details": {"finish_reason": )"
          R"("length", "generated_tokens": 2, "seed": null, )"
          R"("input_length": 4}})"
          "\n\n");
  BOOST_TEST(answer.finish() == "");
}

BOOST_AUTO_TEST_CASE(the_likeliest_sequence_is_the_answer) {
  auto answer = answer_to(
      R"("details": true, "do_sample": true, "best_of": 2, "seed": 5)");
  answer.take(1, event({token(1, "good", -0.1f)}, finish_reason::length));
  answer.take(0, event({token(2, "bad", -2.0f)}, finish_reason::eos_token));
  const auto body = json::document::parse(answer.finish(), "body");
  const auto root = body.root();
  BOOST_TEST(root.at("generated_text").as_string() == "good");
  const auto details = root.at("details");
  BOOST_TEST(details.at("seed").as_int() == 6);
  const auto others = details.at("best_of_sequences").items();
  BOOST_REQUIRE(others.size() == 1u);
  BOOST_TEST(others[0].at("generated_text").as_string() == "bad");
  BOOST_TEST(others[0].at("seed").as_int() == 5);
  BOOST_TEST(others[0].at("finish_reason").as_string() == "eos_token");
}

BOOST_AUTO_TEST_CASE(errors) {
  const auto bad = tgi_refusal(
      {error_code::invalid_argument, "expected a number", {}, "top_p"});
  BOOST_TEST(bad.status == 422u);
  BOOST_TEST(bad.body ==
             R"({"error": "Input validation error: `top_p`: expected a )"
             R"(number", "error_type": "validation"})");
  const auto full = tgi_refusal({error_code::overloaded, "full", {}, {}});
  BOOST_TEST(full.status == 429u);
  BOOST_TEST(contains(full.body, "\"error_type\": \"overloaded\""));
  BOOST_TEST(tgi_error_event({error_code::internal, "broken", {}, {}}) ==
             "data: {\"error\": \"Request failed during generation: broken\", "
             "\"error_type\": \"generation\"}\n\n");
}

BOOST_AUTO_TEST_SUITE_END()
