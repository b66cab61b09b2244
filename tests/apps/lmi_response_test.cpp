// The bytes of answers, literally those of the contract.
#include "apps/lmi/lmi_error.hpp"
#include "apps/lmi/response_text.hpp"
#include "apps/lmi/routes.hpp"
#include "runtime/json/reader.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ganglion;
using namespace ganglion::apps;

namespace {

invocation request(bool details) {
  invocation call;
  call.request.prompt = "Hi";
  call.details = details;
  return call;
}

generation_result two_tokens() {
  generation_result out;
  out.text = "He wörld";
  out.tokens = {{244, "He", -0.3f, false}, {4558, " wörld", -0.5f, false}};
  out.generated_tokens = 2;
  out.finish = finish_reason::length;
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(lmi_response)

BOOST_AUTO_TEST_CASE(whole_answers) {
  const auto result = two_tokens();
  BOOST_TEST(whole_answer(request(false), std::span(&result, 1)) ==
             R"({"generated_text": "He wörld"})");
  BOOST_TEST(
      whole_answer(request(true), std::span(&result, 1)) ==
      R"({"generated_text": "He wörld", "details": {"finish_reason": "length", )"
      R"("generated_tokens": 2, "inputs": "Hi", "tokens": [{"id": 244, )"
      R"("text": "He", "log_prob": -0.3}, {"id": 4558, "text": " wörld", )"
      R"("log_prob": -0.5}]}})");
  auto full = request(false);
  full.return_full_text = true;
  BOOST_TEST(whole_answer(full, std::span(&result, 1)) ==
             R"({"generated_text": "HiHe wörld"})");
}

BOOST_AUTO_TEST_CASE(stream_lines) {
  const auto result = two_tokens();
  BOOST_TEST(token_line(request(false), result.tokens[0]) ==
             "{\"token\": {\"id\": 244, \"text\": \"He\", \"log_prob\": "
             "-0.3}}\n");
  BOOST_TEST(
      last_line(request(true), result, &result.tokens[1]) ==
      R"({"token": {"id": 4558, "text": " wörld", "log_prob": -0.5}, )"
      R"("generated_text": "He wörld", "details": {"finish_reason": "length", )"
      R"("generated_tokens": 2, "inputs": "Hi"}})"
      "\n");
  BOOST_TEST(last_line(request(false), result, nullptr) ==
             "{\"generated_text\": \"He wörld\"}\n");
}

BOOST_AUTO_TEST_CASE(alternatives_and_prompts) {
  auto call = request(true);
  call.request.top_logprobs = 1;
  call.request.prompt_logprobs = 0;
  auto result = two_tokens();
  result.tokens.pop_back();
  result.tokens[0].top = {{7, " h", -0.25f}};
  result.prompt = {{1, "", NAN, true}, {9, "Hi", -2.0f, false}};
  BOOST_TEST(token_line(call, result.tokens[0]) ==
             R"({"token": {"id": 244, "text": "He", "log_prob": -0.3}, )"
             R"("top_tokens": [{"id": 7, "text": " h", "log_prob": -0.25}]})"
             "\n");
  const std::string prefill =
      R"("prefill": [{"id": 1, "text": "", "log_prob": null, )"
      R"("special_token": true}, {"id": 9, "text": "Hi", "log_prob": -2.0}])";
  const auto answer = whole_answer(call, std::span(&result, 1));
  BOOST_TEST(answer.ends_with(prefill +
                              R"(, "top_tokens": [[{"id": 7, "text": " h", )"
                              R"("log_prob": -0.25}]]}})"),
             answer);
  const auto line = last_line(call, result, nullptr);
  BOOST_TEST(line.ends_with(prefill + "}}\n"), line);
  call.request.prompt_logprobs = 1;
  result.prompt[1].top = result.tokens[0].top;
  const auto both = whole_answer(call, std::span(&result, 1));
  BOOST_TEST(both.find(R"("log_prob": -2.0, "top_tokens": [{"id": 7)") !=
                 std::string::npos,
             both);
}

BOOST_AUTO_TEST_CASE(special_tokens_are_marked) {
  BOOST_TEST(token_line(request(false), {2, "", -1.0f, true}) ==
             "{\"token\": {\"id\": 2, \"text\": \"\", \"log_prob\": -1.0, "
             "\"special_token\": true}}\n");
}

BOOST_AUTO_TEST_CASE(floats_read_back_as_themselves) {
  for (const float value : {-0.3f, -1e-7f, -123456.78f, -4.4106466e-05f, 0.0f})
    BOOST_TEST(std::stof(float_text(value)) == value);
  BOOST_TEST(float_text(-0.0f / 0.0f) == "null");
}

BOOST_AUTO_TEST_CASE(failures) {
  const auto bad = failure_response(
      {error_code::invalid_argument, "expected a number", "request", "top_p"},
      "m");
  BOOST_TEST(bad.status == 424u);
  BOOST_TEST(bad.body ==
             "{\"code\":424,\"error\":\"Input Parsing failed. Ensure that the "
             "request payload is valid. top_p: expected a number\",\"type\":"
             "\"invalid_argument\",\"field\":\"top_p\"}");
  const auto full =
      failure_response({error_code::overloaded, "many", {}, {}}, "m");
  BOOST_TEST(full.status == 503u);
  BOOST_REQUIRE(full.headers.size() == 1u);
  BOOST_TEST(full.headers[0].name == "Retry-After");
  BOOST_TEST(full.body == "{\n  \"code\": 503,\n  \"type\": "
                          "\"WlmCapacityException\",\n  \"message\": "
                          "\"Worker queue capacity exceeded for model: "
                          "m\"\n}\n");
  const auto line = failure_line({error_code::timed_out, "late", {}, {}});
  BOOST_TEST(line ==
             "{\"code\":503,\"error\":\"late\",\"type\":\"timed_out\"}\n");
}

BOOST_AUTO_TEST_CASE(every_error_has_a_status_and_json) {
  for (int i = 0; i <= static_cast<int>(error_code::internal); ++i) {
    const auto code = static_cast<error_code>(i);
    const auto r = failure_response({code, "a \"quoted\" text", {}, "f"}, "m");
    BOOST_TEST(r.status >= 400u);
    BOOST_TEST(
        json::document::parse(r.body, "body").root().get_int("code", 0) ==
        r.status);
  }
}

BOOST_AUTO_TEST_CASE(ping) {
  const std::tuple<engine_state, unsigned, const char *> cases[] = {
      {engine_state::loading, 200, R"({"status":"PENDING"})"},
      {engine_state::ready, 200, R"({"status":"Healthy"})"},
      {engine_state::rebuilding, 200, R"({"status":"Unhealthy"})"},
      {engine_state::draining, 503, R"({"status":"Unhealthy"})"},
      {engine_state::failed, 500, R"({"status":"FAILED"})"},
      {engine_state::stopped, 503, R"({"status":"Unhealthy"})"},
  };
  for (const auto &[state, status, body] : cases) {
    BOOST_TEST(ping_response(state).status == status);
    BOOST_TEST(ping_response(state).body == body);
    BOOST_TEST(ping_response(state, true).status ==
               (state == engine_state::loading ? 207u : status));
  }
}

BOOST_AUTO_TEST_SUITE_END()
