// Signatures that AWS's own documentation gives for its example bucket.
#include "apps/sources/aws_signature.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

namespace {

const aws_credentials example{"AKIAIOSFODNN7EXAMPLE",
                              "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"};
constexpr const char *host = "examplebucket.s3.amazonaws.com";

std::string authorization(const aws_request &request,
                          const aws_credentials &credentials = example) {
  return signed_headers(request, credentials, "us-east-1", "20130524T000000Z")
      .at("authorization");
}

} // namespace

BOOST_AUTO_TEST_SUITE(aws_signature)

BOOST_AUTO_TEST_CASE(signs_as_the_documentation_does) {
  const std::string scope = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/"
                            "20130524/us-east-1/s3/aws4_request,SignedHeaders=";
  const std::string usual = "host;x-amz-content-sha256;x-amz-date,Signature=";
  BOOST_TEST(
      authorization({.host = host,
                     .path = "/test.txt",
                     .headers = {{"range", "bytes=0-9"}}}) ==
      scope + "host;range;x-amz-content-sha256;x-amz-date,Signature="
              "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb4"
              "1");
  BOOST_TEST(
      authorization({.host = host, .path = "/", .query = "lifecycle="}) ==
      scope + usual +
          "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
  BOOST_TEST(
      authorization(
          {.host = host, .path = "/", .query = "max-keys=2&prefix=J"}) ==
      scope + usual +
          "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

BOOST_AUTO_TEST_CASE(a_session_is_part_of_what_is_signed) {
  auto session = example;
  session.session_token = "token";
  const auto headers = signed_headers({.host = host, .path = "/a"}, session,
                                      "eu-west-1", "20130524T000000Z");
  BOOST_TEST(headers.at("x-amz-security-token") == "token");
  BOOST_TEST(contains(headers.at("authorization"),
                      "/eu-west-1/s3/aws4_request,SignedHeaders=host;"
                      "x-amz-content-sha256;x-amz-date;x-amz-security-token"));
}

BOOST_AUTO_TEST_CASE(encodes_what_is_not_plain) {
  BOOST_TEST(percent_encoded("a b/c~+\xc3\xb6", true) == "a%20b/c~%2B%C3%B6");
  BOOST_TEST(percent_encoded("a/b", false) == "a%2Fb");
}

BOOST_AUTO_TEST_SUITE_END()
