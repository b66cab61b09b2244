// Files that come in pieces, break off, go on and are checked.
#include "apps/sources/download.hpp"
#include "tests/apps/scripted_server.hpp"
#include "tests/golden.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

namespace {

const std::string content = "The quick brown fox jumps over the lazy dog";
const checksum right{
    checksum::method::sha256,
    "d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592"};

/// Downloads `content` from a server to a directory of its own.
struct transfer {
  scratch_directory dir;
  std::size_t bytes = 0; ///< that were reported
  std::vector<duration> pauses;

  std::string to() const { return dir / "file"; }

  std::string run(const scripted_server &server,
                  const checksum &expected = right) {
    web_client client;
    return error_text([&] {
      fetch_file(
          client,
          {.url = server.url() + "/f",
           .headers = [] { return std::map<std::string, std::string>{}; },
           .to = to(),
           .size = content.size(),
           .version = "v1",
           .expected = expected},
          {.pause = [&](duration wait) { pauses.push_back(wait); },
           .progress = [&](std::size_t n) { bytes += n; }});
    });
  }
  std::string got() const { return file_text(to()); }

  static std::string file_text(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(download)

BOOST_AUTO_TEST_CASE(fetches_once) {
  scripted_server server(
      [](const auto &asked) { return ranged(asked, content); });
  transfer t;
  BOOST_TEST(t.run(server) == "no error");
  BOOST_TEST(t.got() == content);
  BOOST_TEST(t.bytes == content.size());
  BOOST_TEST(t.run(server) == "no error"); // it is there
  BOOST_TEST(server.log().size() == 1u);
}

BOOST_AUTO_TEST_CASE(goes_on_where_the_connection_broke) {
  int requests = 0;
  scripted_server server([&](const auto &asked) {
    auto out = ranged(asked, content);
    if (++requests < 3)
      out.cut_after = 10;
    return out;
  });
  transfer t;
  BOOST_TEST(t.run(server) == "no error");
  BOOST_TEST(t.got() == content);
  BOOST_TEST(t.bytes == content.size());
  BOOST_TEST(server.log() ==
                 (std::vector<std::string>{"GET /f", "GET /f bytes=10-",
                                           "GET /f bytes=20-"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(goes_on_where_an_earlier_start_ended) {
  scripted_server server(
      [](const auto &asked) { return ranged(asked, content); });
  transfer t;
  t.dir.write("file.v1.incomplete", content.substr(0, 30));
  t.dir.write("file.v0.incomplete", "of another version");
  BOOST_TEST(t.run(server) == "no error");
  BOOST_TEST(t.got() == content);
  BOOST_TEST(server.log().front() == "GET /f bytes=30-");
}

BOOST_AUTO_TEST_CASE(starts_again_where_a_server_knows_no_parts) {
  scripted_server server(
      [](const auto &) { return scripted_server::answer{.body = content}; });
  transfer t;
  t.dir.write("file.v1.incomplete", "something else");
  BOOST_TEST(t.run(server) == "no error");
  BOOST_TEST(t.got() == content);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_wrong_do_not_count) {
  scripted_server server([](const auto &asked) {
    auto wrong = content;
    wrong[4] = 'Q';
    return ranged(asked, wrong);
  });
  transfer t;
  BOOST_TEST(contains(t.run(server), "corrupt_data: " + server.url() +
                                         "/f: has the checksum "));
  BOOST_TEST(!std::filesystem::exists(t.to()));
  // and the next start does not go on from them
  BOOST_TEST(contains(t.run(server), "has the checksum"));
  BOOST_TEST(server.log().back() == "GET /f");
}

BOOST_AUTO_TEST_CASE(gives_up_after_some_attempts) {
  scripted_server server(
      [](const auto &) { return scripted_server::answer{.status = 503}; });
  transfer t;
  BOOST_TEST(t.run(server) == "unavailable: " + server.url() + "/f: HTTP 503");
  BOOST_TEST(server.log().size() == 5u);
  BOOST_REQUIRE(t.pauses.size() == 4u);
  BOOST_TEST((t.pauses[3] == t.pauses[0] * 8)); // ever longer
}

BOOST_AUTO_TEST_CASE(does_not_ask_again_what_is_refused) {
  for (const auto &[status, words] :
       {std::pair(404u, "not_found"), std::pair(401u, "invalid_argument"),
        std::pair(403u, "invalid_argument")}) {
    scripted_server server([status = status](const auto &) {
      return scripted_server::answer{.status = status, .body = "no"};
    });
    transfer t;
    BOOST_TEST(t.run(server).starts_with(words));
    BOOST_TEST(server.log().size() == 1u);
    BOOST_TEST(!std::filesystem::exists(t.to()));
  }
}

BOOST_AUTO_TEST_CASE(checksums_of_all_kinds) {
  const scratch_directory dir;
  dir.write("f", "hello\n");
  using enum checksum::method;
  BOOST_TEST(digits_of(dir / "f", md5) == "b1946ac92492d2347c6235b4d2611184");
  BOOST_TEST(digits_of(dir / "f", git_blob) ==
             "ce013625030ba8dba906f756967f9e9ca394464a");
  BOOST_TEST(digits_of(dir / "f", checksum::method::sha256) ==
             "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be0"
             "3");
  BOOST_CHECK_THROW(digits_of(dir / "none", md5), error);
}

BOOST_AUTO_TEST_SUITE_END()
