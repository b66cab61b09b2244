// A bucket of the test's own, which checks signatures.
#include "apps/sources/s3_listing.hpp"
#include "apps/sources/s3_source.hpp"
#include "tests/apps/scripted_server.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

namespace {

namespace fs = std::filesystem;

const aws_credentials keys{"AKIDEXAMPLE", "secret", "session"};
constexpr const char *hello_md5 = "b1946ac92492d2347c6235b4d2611184";

/// Lists two objects to a page.
struct small_bucket {
  std::map<std::string, std::string> objects{
      {"models/a&b/", ""},
      {"models/a&b/config.json", "hello\n"},
      {"models/a&b/sub dir/vocab.txt", "hello\n"},
      {"models/a&b/weights", "hello\n"},
      {"models/other/config.json", "hello\n"}};
  std::string etag = hello_md5;
  scratch_directory dir;
  std::vector<std::string> bad_signatures;
  scripted_server server{[this](const auto &asked) { return answer(asked); }};

  scripted_server::answer answer(const scripted_server::request &asked) {
    check_signature(asked);
    const std::string target(asked.target());
    if (target.starts_with("/bucket/?"))
      return {.body = listing(target)};
    const auto key = decoded(target.substr(std::string("/bucket/").size()));
    const auto found = objects.find(key);
    if (found == objects.end())
      return {.status = 404};
    if (asked["If-Match"] != "\"" + etag + "\"")
      return {.status = 412};
    return ranged(asked, found->second);
  }

  static std::string decoded(const std::string &text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '%') {
        out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else {
        out += text[i];
      }
    return out;
  }

  std::string listing(const std::string &target) const {
    const auto at = target.find("prefix=") + std::string("prefix=").size();
    const auto prefix = decoded(target.substr(at));
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto &[key, text] : objects)
      if (key.starts_with(prefix))
        found.emplace_back(key, text);
    const auto token =
        target.find("continuation-token=next%2F2") != std::string::npos;
    const std::size_t begin = token ? 2 : 0;
    const bool more = !token && found.size() > 2;
    std::string out = "<?xml version=\"1.0\"?><ListBucketResult>"
                      "<IsTruncated>" +
                      std::string(more ? "true" : "false") + "</IsTruncated>";
    if (more)
      out += "<NextContinuationToken>next/2</NextContinuationToken>";
    for (auto i = begin; i < std::min(found.size(), begin + 2); ++i)
      out += "<Contents><Key>" + escaped(found[i].first) +
             "</Key><ETag>&quot;" + etag + "&quot;</ETag><Size>" +
             std::to_string(found[i].second.size()) + "</Size></Contents>";
    return out + "</ListBucketResult>";
  }

  static std::string escaped(const std::string &text) {
    std::string out;
    for (const char c : text)
      out += c == '&' ? std::string("&amp;") : std::string(1, c);
    return out;
  }

  void check_signature(const scripted_server::request &asked) {
    const std::string target(asked.target());
    const auto mark = target.find('?');
    const auto wanted = signed_headers(
        {.host = server.host(),
         .path = target.substr(0, mark),
         .query = mark == std::string::npos ? "" : target.substr(mark + 1)},
        keys, "eu-west-1", std::string(asked["x-amz-date"]));
    for (const auto &[name, value] : wanted)
      if (asked[name] != value)
        bad_signatures.push_back(target + " " + name);
  }

  source_options options() const {
    source_options out;
    out.s3 = {server.url(), "eu-west-1", keys};
    out.download_dir = dir.path();
    out.model_size_limit = 1000;
    out.pause = [](duration) {};
    return out;
  }
  std::string failure(const std::string &url) const {
    return error_text([&] { fetch_from_s3(url, options()); });
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(s3_source)

BOOST_AUTO_TEST_CASE(fetches_all_objects_below_a_prefix) {
  small_bucket bucket;
  const auto place = fetch_from_s3("s3://bucket/models/a&b", bucket.options());
  BOOST_TEST(place.starts_with(bucket.dir / "s3/bucket/"));
  for (const char *name : {"config.json", "sub dir/vocab.txt", "weights"})
    BOOST_TEST(fs::file_size(place + "/" + name) == 6u, name);
  BOOST_TEST(bucket.bad_signatures.empty());
  const auto requests = bucket.server.log();
  BOOST_TEST(requests[0] ==
             "GET /bucket/?list-type=2&prefix=models%2Fa%26b%2F");
  BOOST_TEST(requests[1] == "GET /bucket/?continuation-token=next%2F2&"
                            "list-type=2&prefix=models%2Fa%26b%2F");
  BOOST_TEST(requests.size() == 5u);
  BOOST_TEST(fetch_from_s3("s3://bucket/models/a&b/", bucket.options()) !=
             ""); // another name, the same objects
}

BOOST_AUTO_TEST_CASE(fetches_only_what_changed) {
  small_bucket bucket;
  const auto place =
      fetch_from_s3("s3://bucket/models/other", bucket.options());
  const auto before = bucket.server.log().size();
  BOOST_TEST(fetch_from_s3("s3://bucket/models/other", bucket.options()) ==
             place);
  BOOST_TEST(bucket.server.log().size() == before + 1);
  bucket.etag = "multi-part-2"; // no checksum, but another state
  BOOST_TEST(fetch_from_s3("s3://bucket/models/other", bucket.options()) !=
             place);
}

BOOST_AUTO_TEST_CASE(an_archive_is_one_object) {
  small_bucket bucket;
  bucket.objects["models/m.tar.gz"] = "hello\n";
  const auto place =
      fetch_from_s3("s3://bucket/models/m.tar.gz", bucket.options());
  BOOST_TEST(place.ends_with("/m.tar.gz"));
  BOOST_TEST(fs::file_size(place) == 6u);
}

BOOST_AUTO_TEST_CASE(failures_say_what_and_where) {
  small_bucket bucket;
  BOOST_TEST(bucket.failure("s3://bucket/none") ==
             "not_found: s3://bucket/none: model_id: nothing lies there");
  BOOST_TEST(contains(bucket.failure("s3:///models"), "names no bucket"));
  BOOST_TEST(contains(bucket.failure("s3://a@b/models"), "names no bucket"));
  bucket.objects["models/other/../../evil"] = "hello\n";
  BOOST_TEST(contains(bucket.failure("s3://bucket/models/other"),
                      "leads out of the prefix"));
  bucket.objects = {{"big/file", std::string(2000, 'x')}};
  BOOST_TEST(contains(bucket.failure("s3://bucket/big"),
                      "more than model_size_limit"));
  bucket.objects = {{"m/config.json", "hullo\n"}};
  BOOST_TEST(contains(bucket.failure("s3://bucket/m"), "has the checksum"));
}

BOOST_AUTO_TEST_CASE(listings_that_are_wrong) {
  for (const char *xml :
       {"", "<IsTruncated>true</IsTruncated>",
        "<IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents>",
        "<IsTruncated>false</IsTruncated><Contents><Key>a</Key><ETag>e</ETag>"
        "<Size>-1</Size></Contents>"})
    BOOST_TEST(error_text([&] {
                 parse_s3_listing(xml, "list");
               }).starts_with("corrupt_data: list: "),
               xml);
}

BOOST_AUTO_TEST_SUITE_END()
