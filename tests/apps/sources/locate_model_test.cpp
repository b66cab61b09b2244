// From names to directories, by every way that leads to one.
#include "apps/sources/locate_model.hpp"
#include "tests/apps/archive_maker.hpp"
#include "tests/apps/run_command.hpp"
#include "tests/apps/scripted_server.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The shipped model as an archive's members, below `folder`.
std::vector<archive_member> story_members(const std::string &folder) {
  std::vector<archive_member> out;
  for (const auto &entry : fs::directory_iterator(stories260k()))
    if (entry.is_regular_file())
      out.push_back(
          {folder + entry.path().filename().string(), bytes_of(entry.path())});
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(locate_model)

BOOST_AUTO_TEST_CASE(what_is_here_is_meant_first) {
  const scratch_directory dir;
  source_options options;
  options.download_dir = dir / "downloads";
  options.model_size_limit = 1 << 20;
  const auto found = apps::locate_model(dir.path(), options);
  BOOST_TEST(found.directory == dir.path());
  BOOST_TEST(found.name == "");
  BOOST_TEST(apps::locate_model("/no/such", options).directory == "/no/such");
  for (const char *url : {"djl://ai.djl/x", "https://a/m.zip"})
    BOOST_TEST(contains(error_text([&] { apps::locate_model(url, options); }),
                        "unsupported: model_id: '" + std::string(url) +
                            "' is no source of models"));
}

BOOST_AUTO_TEST_CASE(archives_are_unpacked_once) {
  const scratch_directory dir;
  dir.write("tiny.tar.gz", gzip_of(tar_of({{"config.json", "{}"}})));
  dir.write("nested.zip", zip_of({{"folder/config.json", "{}"}}));
  source_options options;
  options.download_dir = dir / "downloads";
  options.model_size_limit = 1 << 20;
  int unpacked = 0;
  options.observer = [&](const load_report &) { ++unpacked; };
  const auto found = apps::locate_model(dir / "tiny.tar.gz", options);
  BOOST_TEST(found.name == "tiny");
  BOOST_TEST(fs::exists(found.directory + "/config.json"));
  BOOST_TEST(apps::locate_model(dir / "tiny.tar.gz", options).directory ==
             found.directory);
  BOOST_TEST(unpacked == 1);
  const auto nested = apps::locate_model(dir / "nested.zip", options);
  BOOST_TEST(fs::exists(nested.directory + "/config.json"));
  dir.write("tiny.tar.gz", gzip_of(tar_of({{"config.json", "{ }"}})));
  BOOST_TEST(apps::locate_model(dir / "tiny.tar.gz", options).directory !=
             found.directory);
}

BOOST_AUTO_TEST_CASE(commands_run_models_from_everywhere) {
  const scratch_directory dir;
  dir.write("story.tar.gz", gzip_of(tar_of(story_members(""))));
  scripted_server bucket([](const auto &asked) {
    const std::string target(asked.target());
    if (target.find("list-type") == std::string::npos) {
      const auto name = target.substr(target.rfind('/') + 1);
      return ranged(asked, bytes_of(stories260k() + "/" + name));
    }
    std::string out = "<IsTruncated>false</IsTruncated>";
    for (const auto &m : story_members("m/"))
      out += "<Contents><Key>" + m.name + "</Key><ETag>\"e-1\"</ETag><Size>" +
             std::to_string(m.content.size()) + "</Size></Contents>";
    return scripted_server::answer{.body = out};
  });
  const runtime::environment variables{
      {"HOME", dir.path()},
      {"SERVING_DOWNLOAD_DIR", dir / "downloads"},
      {"AWS_ENDPOINT_URL", bucket.url()}};
  const std::string story = "Once upon a time, there was\n";
  for (const std::string &model :
       {dir / "story.tar.gz", std::string("s3://bucket/m")}) {
    const auto r = run_command({"generate", "--model", model,
                                "--max-new-tokens=3", "Once upon a time"},
                               {}, variables);
    BOOST_TEST(r.out == story, r.err);
  }
  const auto refused =
      run_command({"generate", "--model", "org/none", "a"}, {},
                  {{"HOME", dir.path()}, {"HF_ENDPOINT", bucket.url()}});
  BOOST_TEST(refused.code == 1);
  BOOST_TEST(contains(refused.err, "'org/none' is no directory here"));
}

BOOST_AUTO_TEST_SUITE_END()
