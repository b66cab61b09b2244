#include "runtime/checkpoint/unfinished_file.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string text_of(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::ptrdiff_t files_in(const scratch_directory &d) {
  return std::ranges::distance(std::filesystem::directory_iterator(d.path()),
                               std::filesystem::directory_iterator());
}

} // namespace

BOOST_AUTO_TEST_SUITE(unfinished_file)

BOOST_AUTO_TEST_CASE(appears_when_it_is_moved_into_place) {
  const scratch_directory d;
  runtime::unfinished_file file(d / "a");
  file.write_at(2, bytes_of("cd"));
  file.write_at(0, bytes_of("ab"));
  BOOST_TEST(!std::filesystem::exists(d / "a"));
  file.move_into_place();
  BOOST_TEST(text_of(d / "a") == "abcd");
  BOOST_TEST(files_in(d) == 1);
}

BOOST_AUTO_TEST_CASE(leaves_nothing_otherwise) {
  const scratch_directory d;
  { runtime::unfinished_file(d / "a").write_at(0, bytes_of("half")); }
  BOOST_TEST(files_in(d) == 0);
  std::filesystem::create_directory(d / "taken");
  const auto text = error_text([&] {
    runtime::unfinished_file file(d / "taken");
    file.move_into_place();
  });
  BOOST_TEST(contains(text, "taken"));
  BOOST_TEST(files_in(d) == 1);
}

BOOST_AUTO_TEST_CASE(names_tell_what_they_were_for) {
  BOOST_TEST(path_of_unfinished("a.json.tmp.12.3") == "a.json");
  for (const char *other : {"a.json", "a.tmp.x", "a.tmp", "tmp.1.2", ""})
    BOOST_TEST(path_of_unfinished(other) == "");
}

BOOST_AUTO_TEST_SUITE_END()
