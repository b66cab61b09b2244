// What /metrics tells, and that the numbers fit each other.
#include "apps/metrics/metrics_text.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <map>
#include <sstream>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

namespace {

/// Values by name and labels other than the model's.
using readings = std::map<std::string, double>;

readings parse(const std::string &text) {
  readings out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    const auto space = line.rfind(' ');
    auto name = line.substr(0, space);
    const std::string model = "model_name=\"stories260k\"";
    const auto at = name.find(model);
    BOOST_REQUIRE(at != std::string::npos);
    const bool more = name[at + model.size()] == ',';
    name.erase(at, model.size() + (more ? 1 : 0));
    if (name.ends_with("{}"))
      name.resize(name.size() - 2);
    out[name] = std::stod(line.substr(space + 1));
  }
  return out;
}

double sum_of(const readings &all, const std::string &name) {
  double sum = 0;
  for (const auto &[key, value] : all)
    if (key.starts_with("ganglion_" + name + "{"))
      sum += value;
  return sum;
}

double of(const readings &all, const std::string &name) {
  const auto found = all.find("ganglion_" + name);
  BOOST_TEST_REQUIRE((found != all.end()), name << " is not there");
  return found->second;
}

readings scrape(std::uint16_t port) {
  http_client client(port);
  const auto r = client.exchange("GET", "/metrics");
  BOOST_TEST(r.result_int() == 200u);
  BOOST_TEST(std::string(r["Content-Type"]) == std::string(metrics_text_type));
  return parse(r.body());
}

std::string body_of(int tokens, const std::string &text = "Once upon a time") {
  return R"({"inputs": ")" + text + R"(", "parameters": {"max_new_tokens": )" +
         std::to_string(tokens) + "}}";
}

/// Of one answer, whatever goes on meanwhile.
void check_identities(const readings &m) {
  BOOST_TEST(of(m, "requests_accepted_total") ==
             sum_of(m, "request_success_total") +
                 of(m, "num_requests_running") + of(m, "num_requests_waiting"));
  BOOST_TEST(of(m, "prefix_cache_hits_total") <=
             of(m, "prefix_cache_queries_total"));
  BOOST_TEST(of(m, "kv_blocks_free") <= of(m, "kv_blocks"));
  BOOST_TEST(sum_of(m, "engine_state") == 1);
}

/// Of an answer when nothing is under way.
void check_rest(const readings &m) {
  check_identities(m);
  BOOST_TEST(of(m, "num_requests_running") == 0);
  BOOST_TEST(of(m, "num_requests_waiting") == 0);
  BOOST_TEST(of(m, "num_sequences_running") == 0);
  BOOST_TEST(of(m, "queue_age_seconds") == 0);
  BOOST_TEST(of(m, "e2e_request_latency_seconds_count") ==
             sum_of(m, "request_success_total") -
                 of(m, "request_success_total{finished_reason=\"error\"}"));
}

} // namespace

BOOST_AUTO_TEST_SUITE(metrics)

BOOST_AUTO_TEST_CASE(identities_hold) {
  running_server server(story_server());
  BOOST_REQUIRE(server.ready());
  http_client client(server.port());
  for (int i = 1; i <= 3; ++i)
    client.exchange("POST", "/invocations", body_of(4 * i));
  // Taken by the engine, and refused when its prompt is known.
  client.exchange("POST", "/invocations", body_of(4, std::string(20000, 'a')));
  // Not even JSON.
  client.exchange("POST", "/invocations", "{");
  const auto m = scrape(server.port());
  check_rest(m);
  BOOST_TEST(of(m, "requests_accepted_total") == 4);
  BOOST_TEST(of(m, "request_success_total{finished_reason=\"length\"}") == 3);
  BOOST_TEST(of(m, "request_success_total{finished_reason=\"error\"}") == 1);
  BOOST_TEST(of(m, "generation_tokens_total") == 24);
  BOOST_TEST(of(m, "time_to_first_token_seconds_count") == 3);
  BOOST_TEST(of(m, "inter_token_latency_seconds_count") == 24 - 3);
  BOOST_TEST(of(m, "request_queue_time_seconds_count") == 3);
  BOOST_TEST(of(m, "time_to_first_token_seconds_sum") <=
             of(m, "e2e_request_latency_seconds_sum"));
  BOOST_TEST(of(m, "http_responses_total{status=\"200\"}") == 3);
  BOOST_TEST(of(m, "http_responses_total{status=\"424\"}") == 2);
  // Every step that ended was of one phase, and its time is a core's.
  BOOST_TEST(sum_of(m, "step_duration_seconds_count") <= of(m, "steps_total"));
  BOOST_TEST(sum_of(m, "step_duration_seconds_count") >= 24);
  BOOST_TEST(sum_of(m, "step_duration_seconds_sum") <=
                 of(m, "core_busy_seconds_total{core=\"0\"}"),
             boost::test_tools::tolerance(1e-6));
  BOOST_TEST(of(m, "core_memory_bytes{core=\"0\"}") > 0);
  BOOST_TEST(of(m, "engine_state{state=\"ready\"}") == 1);
}

BOOST_AUTO_TEST_CASE(identities_hold_while_requests_run_and_leave) {
  running_server server(story_server());
  BOOST_REQUIRE(server.ready());
  std::vector<std::unique_ptr<http_client>> clients;
  for (int i = 0; i < 40; ++i) {
    clients.push_back(std::make_unique<http_client>(server.port()));
    clients.back()->send_request("POST", "/invocations", body_of(100));
    if (i % 3 == 0)
      clients.back()->close();
    check_identities(scrape(server.port()));
  }
  BOOST_REQUIRE(server.eventually([](const engine_status &s) {
    return s.accepted == 40 && s.accepted == s.ended_requests() &&
           s.running == 0;
  }));
  const auto m = scrape(server.port());
  check_rest(m);
  BOOST_TEST(of(m, "kv_blocks_free") == of(m, "kv_blocks"));
}

BOOST_AUTO_TEST_CASE(guesses_are_counted) {
  auto options = story_server();
  options.config.speculation.draft_model = "ngram";
  running_server server(options);
  BOOST_REQUIRE(server.ready());
  http_client client(server.port());
  client.exchange("POST", "/invocations",
                  body_of(100, "the cat sat. the cat sat. the cat sat. the"));
  const auto m = scrape(server.port());
  BOOST_TEST(of(m, "spec_decode_num_draft_tokens_total") > 0);
  BOOST_TEST(of(m, "spec_decode_num_accepted_tokens_total") <=
             of(m, "spec_decode_num_draft_tokens_total"));
}

BOOST_AUTO_TEST_CASE(rejections_have_reasons) {
  auto options = story_server();
  options.config.scheduling.max_rolling_batch_size = 1;
  options.config.scheduling.job_queue_size = 1;
  running_server server(options);
  BOOST_REQUIRE(server.ready());
  std::vector<std::unique_ptr<http_client>> clients;
  for (int i = 0; i < 12; ++i) {
    clients.push_back(std::make_unique<http_client>(server.port()));
    clients.back()->send_request("POST", "/invocations", body_of(400));
  }
  int refused = 0;
  for (const auto &client : clients)
    refused += client->receive().result_int() == 503u;
  const auto m = scrape(server.port());
  check_identities(m);
  BOOST_TEST(of(m, "requests_rejected_total{reason=\"overloaded\"}") ==
             refused);
  BOOST_TEST(of(m, "requests_accepted_total") == 12 - refused);
  BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_CASE(every_metric_has_its_words) {
  for (const auto &metric : metric_names()) {
    BOOST_TEST(!metric.help.empty());
    const bool total = metric.name.ends_with("_total");
    BOOST_TEST(total == (metric.type == "counter"));
  }
}

BOOST_AUTO_TEST_CASE(the_documentation_lists_all_of_them) {
  std::ifstream file(source_dir() + "/docs/metrics.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  std::size_t rows = 0;
  for (auto at = page.find("\n| `"); at != std::string::npos;
       at = page.find("\n| `", at + 1))
    ++rows;
  BOOST_TEST(rows == metric_names().size());
  for (const auto &metric : metric_names()) {
    const auto row = "| `" + std::string(metric.name) + "` | " +
                     std::string(metric.type) + " | ";
    const auto at = page.find(row);
    BOOST_TEST_REQUIRE((at != std::string::npos), row);
    const auto line = page.substr(at, page.find('\n', at) - at);
    BOOST_TEST(line.ends_with(" | " + std::string(metric.help) + " |"), line);
  }
}

BOOST_AUTO_TEST_SUITE_END()
