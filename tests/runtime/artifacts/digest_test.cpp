#include "runtime/artifacts/content_digest.hpp"
#include "runtime/checkpoint/save_split.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

std::vector<std::byte> pattern(std::size_t size) {
  std::vector<std::byte> out(size);
  std::uint32_t x = 1;
  for (auto &b : out)
    b = std::byte(
        static_cast<unsigned char>((x = x * 1664525 + 1013904223) >> 24));
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(digest)

BOOST_AUTO_TEST_CASE(sees_every_flipped_bit) {
  auto bytes = pattern(200);
  std::set<std::string> seen{digest_of(bytes).text()};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] ^= std::byte(1 << bit);
      BOOST_REQUIRE(seen.insert(digest_of(bytes).text()).second);
      bytes[i] ^= std::byte(1 << bit);
    }
}

BOOST_AUTO_TEST_CASE(flipped_bits_do_not_undo_each_other) {
  auto bytes = pattern(160); // two stripes and a half
  const auto flip = [&](std::size_t bit) {
    bytes[bit / 8] ^= std::byte(1 << bit % 8);
  };
  std::set<std::string> seen{digest_of(bytes).text()};
  for (std::size_t a = 0; a < 64; ++a) // any of a word and of the next stripe's
    for (std::size_t b = 512; b < 576; ++b) {
      flip(a);
      flip(b);
      BOOST_REQUIRE(seen.insert(digest_of(bytes).text()).second);
      flip(a);
      flip(b);
    }
}

BOOST_AUTO_TEST_CASE(sees_every_length) {
  const std::vector<std::byte> zeros(300);
  std::set<std::string> seen;
  for (std::size_t n = 0; n <= zeros.size(); ++n)
    BOOST_REQUIRE(
        seen.insert(digest_of(std::span(zeros).first(n)).text()).second);
}

BOOST_AUTO_TEST_CASE(sees_pieces_that_changed_places) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  auto bytes = pattern(3 * piece + 17);
  const auto before = digest_of(bytes);
  BOOST_TEST((digest_of(bytes) == before));
  std::swap_ranges(bytes.begin(), bytes.begin() + piece, bytes.begin() + piece);
  BOOST_TEST((digest_of(bytes) != before));
}

BOOST_AUTO_TEST_CASE(parts_of_a_key_do_not_run_into_each_other) {
  const auto key = [](const char *a, const char *b) {
    return digest_builder().add(a).add(b).finish();
  };
  BOOST_TEST((key("ab", "c") != key("a", "bc")));
  BOOST_TEST((key("ab", "c") == key("ab", "c")));
}

BOOST_AUTO_TEST_CASE(content_does_not_depend_on_files) {
  const auto path = fixture("models/llama");
  const scratch_directory other;
  save_pretrained_split(path, other.path());
  const auto digest_at = [](const std::string &directory) {
    return content_digest(*checkpoint::open(directory));
  };
  BOOST_TEST((digest_at(path) == digest_at(other.path())));
  BOOST_TEST((digest_at(path) != digest_at(fixture("models/llama-mha"))));
}

BOOST_AUTO_TEST_CASE(is_remembered_until_a_file_changes) {
  const scratch_directory files, memory;
  files.write("a", "first");
  std::filesystem::last_write_time(
      files / "a", std::filesystem::file_time_type::clock::now());
  const digest_memo memo(memory.path());
  const auto known = [&] {
    return memo.find({&mapped_file::open(files / "a").identity(), 1});
  };
  BOOST_TEST(!known().has_value());
  const auto d = digest_of("first");
  memo.remember({&mapped_file::open(files / "a").identity(), 1}, d);
  BOOST_REQUIRE(known().has_value());
  BOOST_TEST((*known() == d));
  // The same size, and so near in time that only the stamps can tell.
  files.write("a", "other");
  std::filesystem::last_write_time(
      files / "a",
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  BOOST_TEST(!known().has_value());
}

BOOST_AUTO_TEST_CASE(what_just_changed_is_not_remembered) {
  const scratch_directory memory;
  const digest_memo memo(memory.path());
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  int computed = 0;
  const auto get = [&](std::int64_t changed) {
    const file_identity id{1, 2, 3, 4, changed};
    for (int i = 0; i < 2; ++i)
      memo.get({&id, 1}, [&] {
        ++computed;
        return digest_of("x");
      });
    return std::exchange(computed, 0);
  };
  BOOST_TEST(get(now + std::int64_t{3600} * 1'000'000'000) == 2);
  BOOST_TEST(get(now - std::int64_t{3600} * 1'000'000'000) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
