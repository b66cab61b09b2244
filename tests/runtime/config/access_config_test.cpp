#include "runtime/config/access_config.hpp"
#include "runtime/config/command_line.hpp"
#include "runtime/config/load_config.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

access_config access_of(std::vector<std::string> arguments,
                        environment variables = {}) {
  const scratch_directory dir;
  arguments.push_back("--model=" + dir.path());
  const command_spec serve{.name = "serve"};
  return load_config({parse_command_line(serve, arguments).engine,
                      std::move(variables), std::nullopt})
      .config.server.access;
}

using strings = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(access_config)

BOOST_AUTO_TEST_CASE(nothing_is_asked_by_default) {
  const auto access = access_of({});
  BOOST_TEST(access.api_keys.empty());
  BOOST_TEST(access.cors_origins.empty());
  BOOST_TEST(access.certificate_file.empty());
  BOOST_TEST(access.max_connections == 1024u);
  BOOST_TEST(access.header_timeout.count() == 15);
}

BOOST_AUTO_TEST_CASE(lists_have_commas_or_several_mentions) {
  BOOST_TEST(access_of({"--api-key", "a, b", "--api-key=c"}).api_keys ==
                 (strings{"a", "b", "c"}),
             boost::test_tools::per_element());
  BOOST_TEST(access_of({}, {{"GANGLION_API_KEY", "x,y"}}).api_keys ==
                 (strings{"x", "y"}),
             boost::test_tools::per_element());
  BOOST_TEST(
      access_of({"--cors-allowed-origin=https://a,https://b"}).cors_origins ==
          (strings{"https://a", "https://b"}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_certificate_needs_its_key) {
  const auto failure = [](const std::string &argument) {
    return error_text([&] { access_of({argument}); });
  };
  BOOST_TEST((failure("--certificate-file=c.pem").find("private_key_file") !=
              std::string::npos));
  BOOST_TEST((failure("--ssl-keyfile=k.pem").find("certificate_file") !=
              std::string::npos));
  const auto both = access_of({"--ssl-certfile=c.pem", "--ssl-keyfile=k.pem"});
  BOOST_TEST(both.certificate_file == "c.pem");
  BOOST_TEST(both.private_key_file == "k.pem");
}

BOOST_AUTO_TEST_CASE(what_goes_into_headers_is_checked) {
  BOOST_TEST((error_text([] {
                access_of({"--cors-allow-methods=GET\r\nX: y"});
              }).find("no header may have") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(limits) {
  const auto access =
      access_of({"--max-connections=3", "--header-timeout=0.5",
                 "--max-header-size=1000", "--keep-alive-timeout=2"});
  BOOST_TEST(access.max_connections == 3u);
  BOOST_TEST(access.header_timeout.count() == 0.5);
  BOOST_TEST(access.max_header_size == 1000u);
  BOOST_TEST(access.keep_alive_timeout.count() == 2);
}

BOOST_AUTO_TEST_SUITE_END()
