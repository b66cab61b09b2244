// Who may ask: API keys and other sites' pages.
#include "apps/http/cross_origin.hpp"
#include "apps/http/key_check.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

namespace {

http_request with(const std::string &name, const std::string &value,
                  const std::string &method = "GET",
                  const std::string &path = "/v1/models") {
  http_request out;
  out.method = method;
  out.path = path;
  out.headers = {{name, value}};
  return out;
}

std::string value_of(const std::vector<http_header> &headers,
                     std::string_view name) {
  for (const auto &h : headers)
    if (h.name == name)
      return h.value;
  return {};
}

lmi_server_options keyed_server() {
  auto out = story_server();
  out.config.server.access.api_keys = {"first-key", "second-key"};
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(access_control)

BOOST_AUTO_TEST_CASE(keys_come_in_three_headers) {
  const key_check keys({"first", "second"});
  BOOST_TEST(!keys.open());
  BOOST_TEST(keys.key_of(with("Authorization", "Bearer first")).value() == 0u);
  BOOST_TEST(keys.key_of(with("authorization", "bearer second")).value() == 1u);
  BOOST_TEST(keys.key_of(with("X-Api-Key", "second")).value() == 1u);
  // "me:first" and "me:second"
  BOOST_TEST(keys.key_of(with("Authorization", "Basic bWU6Zmlyc3Q=")).value() ==
             0u);
  BOOST_TEST(keys.key_of(with("Authorization", "Basic bWU6c2Vjb25k")).value() ==
             1u);
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_key) {
  const key_check keys({"first"});
  for (const auto *value :
       {"", "first", "Bearer", "Bearer ", "Bearer firs", "Bearer firstt",
        "Bearer First", "Basic first", "Basic bWU6Zmlyc3Q", "Basic !!!!",
        "Basic bWU=", "Bearer first second", "Digest first"})
    BOOST_TEST(!keys.key_of(with("Authorization", value)).has_value(), value);
  BOOST_TEST(!keys.key_of(with("X-Api-Key", "")).has_value());
  BOOST_TEST(key_check({}).open());
}

BOOST_AUTO_TEST_CASE(only_probes_and_preflights_are_free) {
  for (const auto *path :
       {"/ping", "/health", "/health/live", "/health/ready"}) {
    BOOST_TEST(key_check::is_free(with("a", "b", "GET", path)));
    BOOST_TEST(!key_check::is_free(with("a", "b", "POST", path)));
  }
  BOOST_TEST(key_check::is_free(with("a", "b", "OPTIONS", "/v1/models")));
  for (const auto *path : {"/", "/metrics", "/status", "/invocations",
                           "/v1/models", "/ping/", "/nothing"})
    BOOST_TEST(!key_check::is_free(with("a", "b", "GET", path)));
}

BOOST_AUTO_TEST_CASE(a_server_with_keys) {
  running_server server(keyed_server());
  BOOST_REQUIRE(server.ready());
  http_client client(server.port());
  BOOST_TEST(client.exchange("GET", "/ping").result_int() == 200u);
  BOOST_TEST(client.exchange("GET", "/health/live").result_int() == 200u);
  for (const auto *path :
       {"/", "/metrics", "/status", "/v1/models", "/info", "/nowhere"}) {
    const auto r = client.exchange("GET", path);
    BOOST_TEST(r.result_int() == 401u, path);
    BOOST_TEST(r.count("WWW-Authenticate") == 2u);
  }
  const auto refused = client.exchange("POST", "/v1/completions",
                                       R"({"prompt": "Hi", "max_tokens": 1})");
  BOOST_TEST(refused.result_int() == 401u);
  BOOST_TEST((refused.body().find("\"error\"") != std::string::npos));
  BOOST_TEST((refused.body().find("first-key") == std::string::npos));
  for (const auto *header :
       {"Authorization: Bearer second-key\r\n", "X-Api-Key: first-key\r\n"})
    BOOST_TEST(client
                   .exchange("POST", "/v1/completions",
                             R"({"prompt": "Hi", "max_tokens": 1})", header)
                   .result_int() == 200u);
}

BOOST_AUTO_TEST_CASE(origins_on_the_list_are_told_so) {
  cross_origin_policy policy;
  BOOST_TEST(cross_origin_headers(policy, with("Origin", "https://a")).empty());
  policy.origins = {"https://a", "https://b"};
  const auto listed = cross_origin_headers(policy, with("Origin", "https://b"));
  BOOST_TEST(value_of(listed, "Access-Control-Allow-Origin") == "https://b");
  BOOST_TEST(value_of(listed, "Vary") == "Origin");
  const auto other = cross_origin_headers(policy, with("Origin", "https://c"));
  BOOST_TEST(value_of(other, "Access-Control-Allow-Origin").empty());
  BOOST_TEST(value_of(other, "Vary") == "Origin");
  policy.origins = {"*"};
  const auto any = cross_origin_headers(policy, with("Origin", "https://c"));
  BOOST_TEST(value_of(any, "Access-Control-Allow-Origin") == "*");
  BOOST_TEST(value_of(any, "Vary").empty());
}

BOOST_AUTO_TEST_CASE(a_preflight_tells_what_is_allowed) {
  cross_origin_policy policy;
  policy.origins = {"*"};
  auto asked = with("Origin", "https://a", "OPTIONS");
  BOOST_TEST(value_of(cross_origin_headers(policy, asked),
                      "Access-Control-Allow-Methods")
                 .empty());
  asked.headers.push_back({"Access-Control-Request-Method", "POST"});
  asked.headers.push_back(
      {"Access-Control-Request-Headers", "authorization, x-api-key"});
  auto told = cross_origin_headers(policy, asked);
  BOOST_TEST(value_of(told, "Access-Control-Allow-Methods") ==
             "GET, POST, OPTIONS");
  BOOST_TEST(value_of(told, "Access-Control-Allow-Headers") ==
             "authorization, x-api-key");
  asked.headers.back().value = "a\r\nb";
  told = cross_origin_headers(policy, asked);
  BOOST_TEST(value_of(told, "Access-Control-Allow-Headers").empty());
  policy.headers = "content-type";
  told = cross_origin_headers(policy, asked);
  BOOST_TEST(value_of(told, "Access-Control-Allow-Headers") == "content-type");
}

BOOST_AUTO_TEST_CASE(a_server_for_other_sites) {
  auto options = keyed_server();
  options.config.server.access.cors_origins = {"https://a.example"};
  running_server server(options);
  http_client client(server.port());
  const auto preflight =
      client.exchange("OPTIONS", "/v1/chat/completions", {},
                      "Origin: https://a.example\r\n"
                      "Access-Control-Request-Method: POST\r\n"
                      "Access-Control-Request-Headers: authorization\r\n");
  BOOST_TEST(preflight.result_int() == 200u);
  BOOST_TEST(preflight["Access-Control-Allow-Origin"] == "https://a.example");
  BOOST_TEST(preflight["Access-Control-Allow-Headers"] == "authorization");
  // A page must be able to read why it was refused.
  const auto refused =
      client.exchange("GET", "/v1/models", {}, "Origin: https://a.example\r\n");
  BOOST_TEST(refused.result_int() == 401u);
  BOOST_TEST(refused["Access-Control-Allow-Origin"] == "https://a.example");
  const auto other =
      client.exchange("GET", "/ping", {}, "Origin: https://b.example\r\n");
  BOOST_TEST(other["Access-Control-Allow-Origin"].empty());
}

BOOST_AUTO_TEST_SUITE_END()
