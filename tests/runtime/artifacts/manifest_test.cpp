#include "runtime/artifacts/manifest.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

const runtime::manifest sample{"program",
                               {{"family", "llama"}, {"rows", "64"}},
                               "program-1.hlo",
                               1234,
                               digest_of("bytes").text()};

std::string parse_error(const std::string &text) {
  return error_text([&] { parse_manifest(text, "m.json"); });
}

std::string body_with(const std::string &format, const std::string &file,
                      const std::string &size) {
  return R"({"format": )" + format +
         R"(, "kind": "program", "fields": {}, "file": ")" + file +
         R"(", "size": )" + size + R"(, "digest": "")";
}

} // namespace

BOOST_AUTO_TEST_SUITE(manifest)

BOOST_AUTO_TEST_CASE(reads_what_was_written) {
  BOOST_TEST((parse_manifest(write_manifest(sample), "m") == sample));
  BOOST_TEST(*sample.find("rows") == "64");
  BOOST_TEST(!sample.find("columns"));
}

BOOST_AUTO_TEST_CASE(sees_every_flipped_byte) {
  const auto text = write_manifest(sample);
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto broken = text;
    broken[i] = static_cast<char>(broken[i] ^ 1);
    BOOST_REQUIRE_MESSAGE(contains(parse_error(broken), "corrupt_data: m.json"),
                          "byte " << i << ": " << parse_error(broken));
  }
}

BOOST_AUTO_TEST_CASE(sees_every_truncation) {
  const auto text = write_manifest(sample);
  for (std::size_t n = 0; n < text.size(); ++n)
    BOOST_REQUIRE(contains(parse_error(text.substr(0, n)), "corrupt_data"));
  BOOST_TEST(contains(parse_error(text + " "), "corrupt_data"));
}

BOOST_AUTO_TEST_CASE(refuses_another_format_naming_both) {
  BOOST_TEST(parse_error(sealed(body_with("7", "a", "1"))) ==
             "unsupported: m.json: format: is 7, this program reads 1");
}

BOOST_AUTO_TEST_CASE(refuses_lies_with_a_right_checksum) {
  BOOST_TEST(parse_error(sealed(body_with("1", "a", "1"))) == "no error");
  for (const auto &body :
       {body_with("1", "../a", "1"), body_with("1", "/etc/passwd", "1"),
        body_with("1", "a", "-1"), body_with("1", "a", "\"1\""),
        body_with("1", "a", "1e99"), body_with("\"1\"", "a", "1"),
        std::string("{"), std::string("[1"), std::string(40, ' ')})
    BOOST_TEST(contains(parse_error(sealed(body)), "corrupt_data"), body);
}

BOOST_AUTO_TEST_SUITE_END()
