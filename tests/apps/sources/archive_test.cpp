// Archives of models, honest and otherwise.
#include "apps/sources/archive.hpp"
#include "tests/apps/archive_maker.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace ganglion;
using namespace ganglion::apps;
using namespace ganglion::testing;

namespace {

namespace fs = std::filesystem;

/// Writes an archive and unpacks it into "out".
struct unpacking {
  scratch_directory dir;
  archive_limits limits{.bytes = 1 << 20};

  std::string run(const std::string &name, const std::string &bytes) const {
    dir.write(name, bytes);
    return error_text([&] { unpack_archive(dir / name, dir / "out", limits); });
  }
  /// Paths below "out" with the sizes of files.
  std::string found() const {
    std::vector<std::string> lines;
    for (const auto &entry : fs::recursive_directory_iterator(dir / "out"))
      lines.push_back(fs::relative(entry.path(), dir / "out").string() +
                      (entry.is_regular_file()
                           ? " " + std::to_string(entry.file_size())
                           : ""));
    std::ranges::sort(lines);
    std::string out;
    for (const auto &line : lines)
      out += line + "\n";
    return out;
  }
  /// Nothing but the archive is there.
  bool left_nothing() const {
    const auto entries = fs::directory_iterator(dir.path());
    return std::ranges::distance(entries) == 1;
  }
};

const std::vector<archive_member> honest{
    {"./", {}, '5'},
    {"./config.json", "{}"},
    {"tokenizer/", {}, '5'},
    {"tokenizer/vocab.txt", std::string(70'000, 'v')},
    {"deep/er/file", "x"}};

} // namespace

BOOST_AUTO_TEST_SUITE(archive)

BOOST_AUTO_TEST_CASE(unpacks_what_is_honest) {
  const std::string wanted = "config.json 2\ndeep\ndeep/er\ndeep/er/file 1\n"
                             "tokenizer\ntokenizer/vocab.txt 70000\n";
  const auto tar = tar_of(honest);
  for (const auto &[name, bytes] :
       {std::pair("m.tar", tar), std::pair("m.tar.gz", gzip_of(tar)),
        std::pair("m.tgz", gzip_of(tar))}) {
    const unpacking u;
    BOOST_TEST(u.run(name, bytes) == "no error");
    BOOST_TEST(u.found() == wanted);
  }
  const unpacking u;
  BOOST_TEST(u.run("m.zip", zip_of({{"config.json", "{}"}, {"a/b", "c"}})) ==
             "no error");
  BOOST_TEST(u.found() == "a\na/b 1\nconfig.json 2\n");
}

BOOST_AUTO_TEST_CASE(nothing_leads_out) {
  for (const char *name :
       {"../evil", "a/../../evil", "/tmp/ganglion-evil", "a/.."}) {
    const unpacking tar, zip;
    BOOST_TEST(contains(tar.run("m.tar", tar_of({{"ok", "1"}, {name, "2"}})),
                        std::string("'") + name + "' leads out of the archive"),
               name);
    BOOST_TEST(tar.left_nothing());
    BOOST_TEST(contains(zip.run("m.zip", zip_of({{name, "2"}})),
                        "leads out of the archive"),
               name);
    BOOST_TEST(zip.left_nothing());
  }
}

BOOST_AUTO_TEST_CASE(links_and_devices_are_refused) {
  for (const char kind : {'1', '2', '3', '6'}) {
    const unpacking u;
    const auto text =
        u.run("m.tar", tar_of({{"link", {}, kind, "/etc/passwd"}}));
    BOOST_TEST(contains(text, "'link' is a link or a device"), text);
    BOOST_TEST(u.left_nothing());
  }
}

BOOST_AUTO_TEST_CASE(no_more_than_the_limits) {
  unpacking u;
  u.limits.bytes = 70'000;
  BOOST_TEST(contains(u.run("m.tar", tar_of(honest)),
                      "makes the model larger than model_size_limit"));
  BOOST_TEST(u.left_nothing());
  u.limits = {.bytes = 1 << 20, .entries = 4};
  BOOST_TEST(contains(u.run("m.tar", tar_of(honest)), "more than 4 entries"));
}

BOOST_AUTO_TEST_CASE(damage_is_seen) {
  const auto whole = gzip_of(tar_of(honest));
  const unpacking cut, garbage, twice, none;
  BOOST_TEST(cut.run("m.tar.gz", whole.substr(0, whole.size() / 2))
                 .starts_with("corrupt_data"));
  BOOST_TEST(cut.left_nothing());
  BOOST_TEST(garbage.run("m.tar.gz", std::string(2000, 'x'))
                 .starts_with("corrupt_data"));
  BOOST_TEST(contains(twice.run("m.tar", tar_of({{"a", "1"}, {"a", "2"}})),
                      "'a' is there twice"));
  BOOST_TEST(error_text([&] {
               unpack_archive(none.dir / "none.zip", none.dir / "out", {});
             }).starts_with("not_found"));
}

BOOST_AUTO_TEST_CASE(names_of_archives) {
  BOOST_TEST(without_archive_ending("model.tar.gz") == "model");
  BOOST_TEST(is_archive_name("a/b.zip"));
  BOOST_TEST(!is_archive_name(".zip"));
  BOOST_TEST(!is_archive_name("model.gz"));
}

BOOST_AUTO_TEST_SUITE_END()
