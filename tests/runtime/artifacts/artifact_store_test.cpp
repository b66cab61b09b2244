#include "runtime/artifacts/artifact_store.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

using policy = runtime::artifact_store::policy;

const auto key = digest_of("key");

/// A store with one artefact whose file a test may spoil.
struct filled_store {
  explicit filled_store(std::size_t size = 1000) : bytes(size, std::byte{7}) {
    runtime::artifact_store(directory.path(), policy::cache)
        .keep({"weights", {{"rank", "0"}}, "", 0, ""}, key, bytes);
    stem = directory / ("weights-" + key.text());
  }

  bool found_in_cache() const {
    return runtime::artifact_store(directory.path(), policy::cache)
        .find("weights", key)
        .has_value();
  }
  std::string error_when_named() const {
    return error_text([&] {
      runtime::artifact_store(directory.path(), policy::fixed)
          .find("weights", key);
    });
  }
  /// Another byte at `at`, and a time that shows it.
  void flip(const std::string &path, std::streamoff at) const {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file.put('!');
    file.close();
    std::filesystem::last_write_time(
        path,
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  }

  scratch_directory directory;
  std::vector<std::byte> bytes;
  std::string stem;
};

} // namespace

BOOST_AUTO_TEST_SUITE(artifact_store)

BOOST_AUTO_TEST_CASE(finds_what_it_kept) {
  const filled_store s;
  const runtime::artifact_store store(s.directory.path(), policy::cache);
  const auto found = store.find("weights", key);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(std::ranges::equal(found->bytes.bytes(), s.bytes));
  BOOST_TEST(*found->about.find("rank") == "0");
  BOOST_TEST(!store.find("program", key).has_value());
  BOOST_TEST(!store.find("weights", digest_of("other")).has_value());
  BOOST_TEST(s.error_when_named() == "no error");
}

BOOST_AUTO_TEST_CASE(leaves_nothing_but_whole_files) {
  const filled_store s;
  std::size_t files = 0;
  for (const auto &entry :
       std::filesystem::directory_iterator(s.directory.path())) {
    BOOST_TEST(!contains(entry.path().string(), ".tmp"));
    ++files;
  }
  BOOST_TEST(files == 2u);
}

BOOST_AUTO_TEST_CASE(sees_a_truncated_artefact) {
  const filled_store s;
  std::filesystem::resize_file(s.stem + ".weights", 999);
  BOOST_TEST(!s.found_in_cache());
  BOOST_TEST(
      contains(s.error_when_named(), "has 999 bytes, its manifest says 1000"));
}

BOOST_AUTO_TEST_CASE(sees_a_flipped_byte) {
  for (const std::size_t size : {std::size_t{1000}, std::size_t{20} << 20}) {
    const filled_store s(size);
    BOOST_TEST(s.found_in_cache());
    s.flip(s.stem + ".weights", 500);
    BOOST_TEST(!s.found_in_cache());
    BOOST_TEST(contains(s.error_when_named(), "corrupt_data: " + s.stem +
                                                  ".weights: has the digest "));
  }
}

BOOST_AUTO_TEST_CASE(sees_a_spoilt_manifest) {
  const filled_store s;
  s.flip(s.stem + ".json", 20);
  BOOST_TEST(!s.found_in_cache());
  BOOST_TEST(contains(s.error_when_named(), "corrupt_data: " + s.stem));
}

BOOST_AUTO_TEST_CASE(a_manifest_without_a_file_is_damaged) {
  const filled_store s;
  std::ofstream(s.stem + ".json") << write_manifest({"weights", {}, "", 0, ""});
  BOOST_TEST(!s.found_in_cache());
  BOOST_TEST(contains(s.error_when_named(),
                      "corrupt_data: " + s.stem + ".json: file: names no"));
}

BOOST_AUTO_TEST_CASE(misses_a_file_that_is_gone) {
  const filled_store s;
  std::filesystem::remove(s.stem + ".weights");
  BOOST_TEST(!s.found_in_cache());
  BOOST_TEST(contains(s.error_when_named(), "not_found: "));
}

BOOST_AUTO_TEST_CASE(a_cache_that_cannot_be_written_is_no_failure) {
  const scratch_directory dir;
  dir.write("file", "");
  const auto keep = [&](policy how) {
    return error_text([&] {
      runtime::artifact_store(dir / "file/below", how)
          .keep({"weights", {}, "", 0, ""}, key, {});
    });
  };
  BOOST_TEST(keep(policy::cache) == "no error");
  BOOST_TEST(contains(keep(policy::fixed), "cannot create directory"));
}

BOOST_AUTO_TEST_SUITE_END()
