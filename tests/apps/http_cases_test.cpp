// Every file in tests/cases/http against real servers with the shipped model.
#include "tests/apps/http_case.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/apps/running_server.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <set>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

apps::lmi_server_options options(bool strict) {
  auto out = story_server();
  out.config.server.strict = strict;
  out.config.server.max_request_size = 64 << 10;
  return out;
}

std::string without_last_newline(std::string text) {
  if (text.ends_with('\n'))
    text.pop_back();
  return text;
}

void check(const http_case &c, std::uint16_t port) {
  http_client client(port);
  const auto r = client.exchange(c.method, c.target, c.body, c.request_headers);
  BOOST_TEST(r.result_int() == static_cast<unsigned>(c.status), r.body());
  for (const auto &[name, value] : c.present)
    BOOST_TEST(std::string(r[name]) == value);
  for (const auto &name : c.absent)
    BOOST_TEST((r.find(name) == r.end()));
  for (const auto &part : c.parts)
    BOOST_TEST((r.body().find(part) != std::string::npos),
               r.body() << " lacks " << part);
  if (!c.whole.empty())
    BOOST_TEST(without_last_newline(r.body()) == c.whole);
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_cases)

BOOST_AUTO_TEST_CASE(all_files) {
  running_server lenient(options(false)), strict(options(true));
  BOOST_REQUIRE(lenient.ready());
  BOOST_REQUIRE(strict.ready());
  std::set<std::string> paths;
  for (const auto &entry :
       std::filesystem::directory_iterator(source_dir() + "/tests/cases/http"))
    paths.insert(entry.path().string());
  BOOST_TEST(paths.size() > 20u);
  for (const auto &path : paths) {
    const auto c = http_case_reader::read(path);
    BOOST_TEST_CONTEXT(c.name) {
      check(c, c.strict ? strict.port() : lenient.port());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
