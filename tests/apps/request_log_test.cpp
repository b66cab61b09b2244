// The line about a request in the log, and what generation notes for it.
#include "apps/serving/generation_record.hpp"
#include "apps/serving/request_log.hpp"
#include "apps/serving/timing_text.hpp"
#include "runtime/json/reader.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;
using namespace std::chrono_literals;

namespace {

generation_event ended(int tokens, finish_reason reason) {
  generation_event out;
  out.tokens.resize(static_cast<std::size_t>(tokens));
  out.finish = reason;
  out.prompt_tokens = 7;
  out.cached_tokens = 2;
  out.timing = {3ms, 10ms, 100ms};
  return out;
}

/// Collects the records of a listener's requests.
struct recording_service {
  http_service service(std::vector<http_route> routes) {
    return {{},
            http_router(std::move(routes)),
            [this](const http_record &r) { done.set_value(r); },
            time};
  }
  std::shared_ptr<manual_clock> time = std::make_shared<manual_clock>();
  std::promise<http_record> done;
};

} // namespace

BOOST_AUTO_TEST_SUITE(request_log)

BOOST_AUTO_TEST_CASE(one_object_with_everything_but_text) {
  generation_record generated;
  generated.take(ended(4, finish_reason::length));
  http_record record{"id-1", "POST", "/invocations",     200,
                     true,   120ms,  generated.members()};
  BOOST_TEST(
      request_line(record, "stories", "2026-01-31T12:00:00.123Z") ==
      R"({"time": "2026-01-31T12:00:00.123Z", "id": "id-1", )"
      R"("method": "POST", "route": "/invocations", "model": "stories", )"
      R"("status": 200, "complete": true, "took_ms": 120.0, )"
      R"("finish_reason": "length", "prompt_tokens": 7, "cached_tokens": 2, )"
      R"("new_tokens": 4, "queue_ms": 3.0, "ttft_ms": 10.0, )"
      R"("total_ms": 100.0, "tokens_per_second": 40.0})");
}

BOOST_AUTO_TEST_CASE(sequences_are_summed_up) {
  generation_record generated;
  auto first = ended(4, finish_reason::length);
  first.timing.total = 50ms;
  generated.take(first);
  generated.take(ended(6, finish_reason::eos_token));
  const auto text = "{" + generated.members() + "}";
  const auto line = json::document::parse(text, "line");
  BOOST_TEST(line.root().at("new_tokens").as_int() == 10);
  BOOST_TEST(line.root().at("prompt_tokens").as_int() == 14);
  BOOST_TEST(line.root().at("total_ms").as_double() == 100.0);
  BOOST_TEST(line.root().at("finish_reason").as_string() == "eos_token");
}

BOOST_AUTO_TEST_CASE(failures_and_leaving_have_a_word) {
  generation_record failed;
  failed.note_failure(error_code::overloaded);
  BOOST_TEST((failed.members().find("overloaded") != std::string::npos));
  BOOST_TEST((failed.members().find("\"tokens_per_second\": 0.0") !=
              std::string::npos));
  generation_record left;
  left.note_cancelled();
  BOOST_TEST((left.members().find("cancelled") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_record_of_an_answer) {
  recording_service records;
  running_listener server(records.service(
      {{"GET", "/x", [&](http_request, std::shared_ptr<http_reply> reply) {
          records.time->advance(5ms);
          reply->note("\"a\": 1");
          http_response out;
          out.status = 404;
          reply->send(out);
        }}}));
  http_client client(server.port());
  client.exchange("GET", "/x?secret=1", {}, "X-Request-Id: mine\r\n");
  const auto r = records.done.get_future().get();
  BOOST_TEST(r.id == "mine");
  BOOST_TEST(r.method == "GET");
  BOOST_TEST(r.path == "/x");
  BOOST_TEST(r.status == 404u);
  BOOST_TEST(r.complete);
  BOOST_TEST((r.took == 5ms));
  BOOST_TEST(r.notes == "\"a\": 1");
}

BOOST_AUTO_TEST_CASE(a_record_of_a_client_that_left) {
  recording_service records;
  std::promise<std::shared_ptr<http_reply>> begun;
  running_listener server(records.service(
      {{"POST", "/x", [&](http_request, std::shared_ptr<http_reply> reply) {
          begun.set_value(reply);
        }}}));
  {
    http_client client(server.port());
    client.send_request("POST", "/x", "body");
    begun.get_future().wait();
  }
  const auto r = records.done.get_future().get();
  BOOST_TEST(!r.complete);
  BOOST_TEST(r.status == 0u);
}

BOOST_AUTO_TEST_CASE(answers_tell_where_the_time_went) {
  running_server server(story_server());
  BOOST_REQUIRE(server.ready());
  http_client client(server.port());
  const auto lmi = client.exchange(
      "POST", "/invocations",
      R"({"inputs": "Hi", "parameters": {"max_new_tokens": 4, "timings": true}})");
  const auto answer = json::document::parse(lmi.body(), "answer");
  const auto timings = answer.root().at("timings");
  BOOST_TEST(timings.at("ttft_ms").as_double() > 0);
  BOOST_TEST(timings.at("total_ms").as_double() >=
             timings.at("ttft_ms").as_double());
  BOOST_TEST(timings.at("ttft_ms").as_double() >=
             timings.at("queue_ms").as_double());
  BOOST_TEST(timings.at("tokens_per_second").as_double() > 0);

  const auto openai =
      client.exchange("POST", "/v1/completions",
                      R"({"prompt": "Hi", "max_tokens": 4, "timings": true})");
  BOOST_TEST(
      (openai.body().find("\"timings\": {\"queue_ms\"") != std::string::npos));
  const auto stream = client.exchange(
      "POST", "/v1/completions",
      R"({"prompt": "Hi", "max_tokens": 4, "timings": true, "stream": true})");
  const auto at = stream.body().find("\"timings\"");
  BOOST_TEST((at != std::string::npos));
  BOOST_TEST((stream.body().find("\"timings\"", at + 1) == std::string::npos));

  const auto tgi = client.exchange(
      "POST", "/generate",
      R"({"inputs": "Hi", "parameters": {"max_new_tokens": 4}})");
  BOOST_TEST(tgi["x-generated-tokens"] == "4");
  BOOST_TEST(!tgi["x-total-time"].empty());
  BOOST_TEST(!tgi["x-time-per-token"].empty());
}

BOOST_AUTO_TEST_SUITE_END()
