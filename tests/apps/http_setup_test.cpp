// From options to what listeners need.
#include "apps/serving/http_setup.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

namespace {

http_service service_of(const runtime::server_config &server) {
  http_service out{{}, http_router({})};
  apply_access(out, server);
  return out;
}

bool knows(const http_service &service, const std::string &key) {
  http_request request;
  request.headers = {{"X-Api-Key", key}};
  return service.keys.key_of(request).has_value();
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_setup)

BOOST_AUTO_TEST_CASE(keys_come_from_the_option_and_a_file) {
  const scratch_directory dir;
  dir.write("keys", "# ours\nfirst\r\n\nsecond key\n");
  runtime::server_config server;
  BOOST_TEST(service_of(server).keys.open());
  server.access.api_keys = {"zero"};
  server.access.api_key_file = dir.path() + "/keys";
  const auto service = service_of(server);
  for (const auto *key : {"zero", "first", "second key"})
    BOOST_TEST(knows(service, key), key);
  for (const auto *key : {"", "# ours", "first\r", "second"})
    BOOST_TEST(!knows(service, key), key);
}

BOOST_AUTO_TEST_CASE(a_file_without_keys_opens_nothing) {
  const scratch_directory dir;
  dir.write("keys", "# none yet\n");
  runtime::server_config server;
  server.access.api_key_file = dir.path() + "/keys";
  BOOST_TEST((error_text([&] { service_of(server); }).find("api_key_file") !=
              std::string::npos));
  server.access.api_key_file = dir.path() + "/nothing";
  BOOST_TEST((error_text([&] { service_of(server); }).find("api_key_file") !=
              std::string::npos));
}

BOOST_AUTO_TEST_CASE(limits_and_the_rest) {
  runtime::server_config server;
  server.max_request_size = 1234;
  server.access.max_connections = 5;
  server.access.max_header_size = 999;
  server.access.header_timeout = std::chrono::duration<double>(0.25);
  server.access.cors_origins = {"*"};
  const auto service = service_of(server);
  BOOST_TEST(service.limits.body_bytes == 1234u);
  BOOST_TEST(service.limits.sessions == 5u);
  BOOST_TEST(service.limits.header_bytes == 999u);
  BOOST_TEST((service.limits.header == std::chrono::milliseconds(250)));
  BOOST_TEST(service.cross_origin.origins.size() == 1u);
  BOOST_TEST(!service.tls);
  server.access.certificate_file = fixture("tls/certificate.pem");
  server.access.private_key_file = fixture("tls/key.pem");
  BOOST_TEST((service_of(server).tls != nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
