// A hub of the test's own, and the cache that HuggingFace's libraries share.
#include "apps/sources/hashing.hpp"
#include "apps/sources/hub_source.hpp"
#include "tests/apps/scripted_server.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <sstream>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

namespace {

namespace fs = std::filesystem;

const std::string commit = "0123456789abcdef0123456789abcdef01234567";

/// "hello\n", as git names it.
constexpr const char *hello_blob = "ce013625030ba8dba906f756967f9e9ca394464a";

std::string sha_of(const std::string &text) { return hex(apps::sha256(text)); }

struct small_hub {
  std::map<std::string, std::string> large{
      {"model.safetensors", std::string(5000, 'w')},
      {"pytorch_model.bin", "old form"}};
  std::vector<std::string> small{"config.json", "tokenizer.json", "README.md",
                                 "onnx/model.json", "model.py"};
  std::vector<std::string> authorizations;
  scratch_directory dir;
  scripted_server server{[this](const auto &asked) { return answer(asked); }};

  std::string info() const {
    std::string out = R"({"sha": ")" + commit + R"(", "siblings": [)";
    for (const auto &name : small)
      out += R"({"rfilename": ")" + name + R"(", "size": 6, "blobId": ")" +
             hello_blob + "\"},";
    for (const auto &[name, text] : large)
      out += R"({"rfilename": ")" + name +
             R"(", "size": 130, "blobId": "00", "lfs": {"sha256": ")" +
             sha_of(text) + R"(", "size": )" + std::to_string(text.size()) +
             "}},";
    out.back() = ']';
    return out + "}";
  }

  scripted_server::answer answer(const scripted_server::request &asked) {
    authorizations.emplace_back(asked["Authorization"]);
    const std::string target(asked.target());
    if (target.starts_with("/api/models/org/tiny/revision/"))
      return {.body = info()};
    const auto file = "/org/tiny/resolve/" + commit + "/";
    if (!target.starts_with(file))
      return {.status = 404};
    const auto name = target.substr(file.size());
    const auto found = large.find(name);
    return ranged(asked, found == large.end() ? "hello\n" : found->second);
  }

  source_options options() const {
    source_options out;
    out.hub = {
        .endpoint = server.url(), .token = "secret", .cache = dir / "hub"};
    out.model_size_limit = 1 << 20;
    out.pause = [](duration) {};
    return out;
  }
  std::string failure(const std::string &id) const {
    return error_text([&] { fetch_from_hub(id, options()); });
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(hub_source)

BOOST_AUTO_TEST_CASE(fetches_what_a_model_needs) {
  small_hub hub;
  std::vector<std::string> phases;
  auto options = hub.options();
  options.observer = [&](const load_report &report) {
    phases.push_back(report.phase);
  };
  const auto place = fetch_from_hub("org/tiny", options);
  const auto root = hub.dir / "hub/models--org--tiny";
  BOOST_TEST(place == root + "/snapshots/" + commit);
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(place))
    names.push_back(entry.path().filename());
  std::ranges::sort(names);
  BOOST_TEST(names ==
                 (std::vector<std::string>{"config.json", "model.safetensors",
                                           "tokenizer.json"}),
             boost::test_tools::per_element());
  BOOST_TEST(fs::read_symlink(place + "/config.json").string() ==
             std::string("../../blobs/") + hello_blob);
  BOOST_TEST(fs::file_size(place + "/model.safetensors") == 5000u);
  std::ifstream branch(root + "/refs/main");
  std::string noted;
  branch >> noted;
  BOOST_TEST(noted == commit);
  BOOST_TEST(phases.front() == "download org/tiny");
  for (const auto &header : hub.authorizations)
    BOOST_TEST(header == "Bearer secret");

  const auto before = hub.server.log().size();
  fetch_from_hub("org/tiny", hub.options());
  BOOST_TEST(hub.server.log().size() == before + 1); // only what it is now
  auto offline = hub.options();
  offline.hub.offline = true;
  BOOST_TEST(fetch_from_hub("org/tiny", offline) == place);
  offline.hub.revision = commit;
  BOOST_TEST(fetch_from_hub("org/tiny", offline) == place);
  offline.hub.revision = "other";
  BOOST_TEST(contains(error_text([&] { fetch_from_hub("org/tiny", offline); }),
                      "revision 'other' is not in the cache"));
}

BOOST_AUTO_TEST_CASE(takes_the_old_form_where_there_is_no_other) {
  small_hub hub;
  hub.large.erase("model.safetensors");
  const auto place = fetch_from_hub("org/tiny", hub.options());
  BOOST_TEST(fs::file_size(place + "/pytorch_model.bin") == 8u);
}

BOOST_AUTO_TEST_CASE(goes_on_with_blobs_that_broke_off) {
  small_hub hub;
  const auto &text = hub.large["model.safetensors"];
  const auto blobs = hub.dir / "hub/models--org--tiny/blobs";
  fs::create_directories(blobs);
  hub.dir.write("hub/models--org--tiny/blobs/" + sha_of(text) +
                    ".part.incomplete",
                text.substr(0, 1234));
  fetch_from_hub("org/tiny", hub.options());
  const auto log = hub.server.log();
  BOOST_TEST(std::ranges::count(log, "GET /org/tiny/resolve/" + commit +
                                         "/model.safetensors bytes=1234-") ==
             1);
}

BOOST_AUTO_TEST_CASE(failures_say_what_and_where) {
  small_hub hub;
  BOOST_TEST(hub.failure("org/none") == "not_found: model 'org/none' of " +
                                            hub.server.url() +
                                            ": is not there (HTTP 404)");
  auto small = hub.options();
  small.model_size_limit = 5000;
  BOOST_TEST(contains(error_text([&] { fetch_from_hub("org/tiny", small); }),
                      "more than model_size_limit"));
}

BOOST_AUTO_TEST_CASE(forged_content_is_refused) {
  small_hub hub;
  hub.small = {"config.json"};
  scripted_server forger([&](const auto &asked) {
    return asked.target().starts_with("/api/")
               ? scripted_server::answer{.body = hub.info()}
               : scripted_server::answer{.body = "hullo\n"};
  });
  auto options = hub.options();
  options.hub.endpoint = forger.url();
  BOOST_TEST(contains(error_text([&] { fetch_from_hub("org/tiny", options); }),
                      "has the checksum"));
}

BOOST_AUTO_TEST_CASE(ids) {
  for (const char *id : {"gpt2", "org/name", "meta-llama/Llama-3.2-1B"})
    BOOST_TEST(is_hub_id(id), id);
  for (const char *text :
       {"", "/a", "a/", "./a", "../a", "a/b/c", "a b", ".a/b", "a/..", "a\\b"})
    BOOST_TEST(!is_hub_id(text), text);
}

BOOST_AUTO_TEST_SUITE_END()
