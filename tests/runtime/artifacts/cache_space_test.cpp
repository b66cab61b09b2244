// What a cache removes to stay within its limit, and what it never removes.
#include "runtime/artifacts/artifact_store.hpp"
#include "runtime/checkpoint/unfinished_file.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

using policy = runtime::artifact_store::policy;
namespace fs = std::filesystem;

constexpr std::size_t artifact_bytes = 100'000;
/// Room for three artefacts with their manifests.
constexpr std::uint64_t limit = 3 * artifact_bytes + 10'000;

digest key_of(int i) { return digest_of("artefact " + std::to_string(i)); }

void keep(const runtime::artifact_store &store, int i) {
  const std::vector<std::byte> bytes(artifact_bytes, std::byte(i));
  store.keep({"weights", {}, "", 0, ""}, key_of(i), bytes);
}

std::string manifest_of(const scratch_directory &d, int i) {
  return d / ("weights-" + key_of(i).text() + ".json");
}

/// As if it had been used `hours` ago.
void age(const std::string &path, int hours) {
  fs::last_write_time(path, fs::file_time_type::clock::now() -
                                std::chrono::hours(hours));
}

/// Keeps artefacts 0 to count - 1, the first used longest ago, in a process
/// that has ended since.
void fill(const scratch_directory &d, int count) {
  for (int i = 0; i < count; ++i) {
    keep({d.path(), policy::cache}, i);
    age(manifest_of(d, i), 100 - i);
    age(d / ("weights-" + key_of(i).text() + ".weights"), 100 - i);
  }
}

/// Numbers of the artefacts that are there, as "0 2 3".
std::string kept_in(const scratch_directory &d) {
  std::string out;
  for (int i = 0; i < 10; ++i)
    if (fs::exists(manifest_of(d, i)))
      out += (out.empty() ? "" : " ") + std::to_string(i);
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(cache_space)

BOOST_AUTO_TEST_CASE(what_was_used_longest_ago_makes_room) {
  const scratch_directory d;
  fill(d, 3);
  keep({d.path(), policy::cache, limit}, 3);
  BOOST_TEST(kept_in(d) == "1 2 3");
  BOOST_TEST(std::ranges::distance(fs::directory_iterator(d.path()),
                                   fs::directory_iterator()) == 6);
}

BOOST_AUTO_TEST_CASE(finding_counts_as_use) {
  const scratch_directory d;
  fill(d, 3);
  BOOST_TEST(runtime::artifact_store(d.path(), policy::cache)
                 .find("weights", key_of(0))
                 .has_value());
  keep({d.path(), policy::cache, limit}, 3);
  BOOST_TEST(kept_in(d) == "0 2 3");
}

BOOST_AUTO_TEST_CASE(what_is_in_use_stays_whoever_uses_it) {
  const scratch_directory d;
  fill(d, 3);
  const runtime::artifact_store other(d.path(), policy::cache);
  other.find("weights", key_of(0));
  age(manifest_of(d, 0), 200);
  const runtime::artifact_store mine(d.path(), policy::cache, limit);
  for (const int i : {3, 4})
    keep(mine, i);
  BOOST_TEST(kept_in(d) == "0 3 4");
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_beside_what_is_in_use_is_not_kept) {
  const scratch_directory d;
  const runtime::artifact_store store(d.path(), policy::cache, limit);
  for (int i = 0; i < 5; ++i)
    keep(store, i);
  BOOST_TEST(kept_in(d) == "0 1 2");
  const scratch_directory small;
  keep({small.path(), policy::cache, artifact_bytes - 1}, 0);
  BOOST_TEST(kept_in(small) == "");
}

BOOST_AUTO_TEST_CASE(no_limit_removes_nothing) {
  const scratch_directory d;
  fill(d, 5);
  keep({d.path(), policy::cache}, 5);
  keep({d.path(), policy::cache, 0}, 6);
  BOOST_TEST(kept_in(d) == "0 1 2 3 4 5 6");
}

BOOST_AUTO_TEST_CASE(files_of_others_stay) {
  const scratch_directory d;
  const std::string hex(32, 'a');
  const std::string names[] = {"notes.txt",
                               "weights.json",
                               "weights-1.json",
                               "weights-" + hex + ".txt",
                               "model-" + hex + ".json",
                               "weights-" + hex + "a.json"};
  for (const auto &name : names) {
    std::ofstream(d / name) << std::string(artifact_bytes, 'x');
    age(d / name, 1000);
  }
  keep({d.path(), policy::cache, limit}, 0);
  for (const auto &name : names)
    BOOST_TEST(fs::exists(d / name), name);
}

BOOST_AUTO_TEST_CASE(an_artefact_without_a_manifest_goes_too) {
  const scratch_directory d;
  fill(d, 3);
  fs::remove(manifest_of(d, 0));
  keep({d.path(), policy::cache, limit}, 3);
  BOOST_TEST(kept_in(d) == "1 2 3");
  BOOST_TEST(!fs::exists(d / ("weights-" + key_of(0).text() + ".weights")));
}

BOOST_AUTO_TEST_CASE(what_killed_writers_left_is_removed) {
  const scratch_directory d;
  const auto path = d / ("weights-" + key_of(1).text() + ".weights");
  const std::string old = path + ".tmp.4000000.7", fresh = path + ".tmp.1.1",
                    foreign = d / "notes.txt.tmp.1.1";
  for (const auto &name : {old, fresh, foreign})
    std::ofstream(name) << "half";
  age(old, 1);
  age(foreign, 1);
  const unfinished_file being_written(path);
  std::string mine;
  for (const auto &entry : fs::directory_iterator(d.path()))
    if (entry.path() != old && entry.path() != fresh && entry.path() != foreign)
      mine = entry.path();
  age(mine, 1);
  keep({d.path(), policy::cache}, 0);
  BOOST_TEST(!fs::exists(old));
  BOOST_TEST(fs::exists(fresh));
  BOOST_TEST(fs::exists(foreign));
  BOOST_TEST(fs::exists(mine));
}

BOOST_AUTO_TEST_SUITE_END()
