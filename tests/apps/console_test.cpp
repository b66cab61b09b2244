// The console's files and the status that feeds it; scripts/check-browser runs
// it in a browser.
#include "apps/console/console_files.hpp"
#include "runtime/json/reader.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

BOOST_AUTO_TEST_SUITE(console)

BOOST_AUTO_TEST_CASE(files_are_those_of_the_tree) {
  BOOST_TEST(console_files().size() == 6u);
  for (const auto &file : console_files()) {
    std::ifstream in(source_dir() + "/apps/console/" + std::string(file.name),
                     std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    BOOST_TEST(!text.empty());
    BOOST_TEST((text == file.text), file.name);
    // Nothing comes from elsewhere.
    for (const auto *other : {"src=\"http", "href=\"http", "url(", "@import"})
      BOOST_TEST((text.find(other) == std::string::npos), other);
  }
}

BOOST_AUTO_TEST_CASE(are_served_with_their_types) {
  running_server server(story_server());
  http_client client(server.port());
  const auto page = client.exchange("GET", "/");
  BOOST_TEST(page.result_int() == 200u);
  BOOST_TEST(page["Content-Type"] == "text/html; charset=utf-8");
  BOOST_TEST(page["X-Content-Type-Options"] == "nosniff");
  BOOST_TEST((page["Content-Security-Policy"].find("default-src 'none'") == 0));
  BOOST_TEST(client.exchange("GET", "/console.css")["Content-Type"] ==
             "text/css; charset=utf-8");
  BOOST_TEST(client.exchange("GET", "/console.js")["Content-Type"] ==
             "text/javascript; charset=utf-8");
}

BOOST_AUTO_TEST_CASE(the_status_tells_of_cores_and_actors) {
  auto options = story_server();
  options.config.graph.tensor_parallel_degree = 2;
  running_server server(options);
  BOOST_REQUIRE(server.ready());
  http_client client(server.port());
  client.exchange("POST", "/invocations",
                  R"({"inputs": "Hi", "parameters": {"max_new_tokens": 5}})");
  const auto body = client.exchange("GET", "/status").body();
  const auto status = json::document::parse(body, "status");
  const auto root = status.root();
  BOOST_TEST(root.at("state").as_string() == "ready");
  BOOST_TEST(root.at("model").as_string() == "stories260k");
  BOOST_TEST(root.at("chat").as_bool() == false);
  BOOST_TEST(root.at("tokens").at("generated").as_int() == 5);
  BOOST_TEST(root.at("requests").at("length").as_int() == 1);
  BOOST_TEST(root.at("requests").at("running").as_int() == 0);
  std::size_t cores = 0, actors = 0;
  for (const auto &core : root.at("cores").items()) {
    BOOST_TEST(core.at("rank").as_int() == static_cast<std::int64_t>(cores++));
    BOOST_TEST(core.at("ready").as_bool());
    BOOST_TEST(core.at("memory_bytes").as_int() > 0);
    BOOST_TEST(core.at("memory_bytes").as_int() <=
               core.at("budget_bytes").as_int());
    BOOST_TEST(core.at("busy_seconds").as_double() > 0);
    BOOST_TEST(core.at("collective_seconds").as_double() > 0);
  }
  BOOST_TEST(cores == 2u);
  for ([[maybe_unused]] const auto &actor : root.at("actors").items())
    ++actors;
  BOOST_TEST(actors == 4u); // engine, scheduler and both cores
}

BOOST_AUTO_TEST_SUITE_END()
