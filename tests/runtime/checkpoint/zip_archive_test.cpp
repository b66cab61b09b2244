#include "runtime/checkpoint/zip_archive.hpp"
#include "tests/runtime/checkpoint/torch_archive.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

std::string text_in(const std::string &bytes, const char *name) {
  const auto archive =
      runtime::zip_archive::parse(std::as_bytes(std::span(bytes)), "z");
  const auto *entry = archive.find(name);
  return entry ? std::string(reinterpret_cast<const char *>(entry->data()),
                             entry->size())
               : "absent";
}

std::string parse_error(const std::string &bytes) {
  return error_text([&] {
    runtime::zip_archive::parse(std::as_bytes(std::span(bytes)), "z");
  });
}

void check_refused(const std::string &bytes, const std::string &reason) {
  const auto text = parse_error(bytes);
  BOOST_TEST(contains(text, reason), text << " lacks " << reason);
}

const std::vector<zip_entry> two = {{"a", "first"}, {"b", "second"}};

} // namespace

BOOST_AUTO_TEST_SUITE(zip_archive)

BOOST_AUTO_TEST_CASE(stored_entries_are_found_where_they_lie) {
  const auto bytes = zip_of(two);
  BOOST_TEST(text_in(bytes, "a") == "first");
  BOOST_TEST(text_in(bytes, "b") == "second");
  BOOST_TEST(text_in(bytes, "c") == "absent");
  BOOST_TEST(text_in(zip_of({}), "a") == "absent");
}

BOOST_AUTO_TEST_CASE(zip64_numbers_and_a_comment) {
  zip_entry wide{"a", "first"};
  wide.zip64 = true;
  BOOST_TEST(text_in(zip_of({wide}), "a") == "first");
  BOOST_TEST(text_in(zip_of({wide}, {.zip64 = true}), "a") == "first");
  auto commented = zip_of(two);
  commented.replace(commented.size() - 2, 2, little(4, 2) + "PK\5\6");
  BOOST_TEST(text_in(commented, "b") == "second");
}

BOOST_AUTO_TEST_CASE(cut_anywhere_it_is_refused) {
  for (const auto &bytes : {zip_of(two), zip_of(two, {.zip64 = true})})
    for (std::size_t size = 0; size < bytes.size(); ++size)
      BOOST_TEST(parse_error(bytes.substr(0, size)).starts_with("corrupt"));
}

BOOST_AUTO_TEST_CASE(what_is_not_stored_plainly_is_refused) {
  zip_entry bomb{"bomb", "tiny"};
  bomb.method = 8;
  check_refused(zip_of({bomb}), "unsupported: z: bomb: the entry is "
                                "compressed (deflate): refused");
  bomb.method = 12;
  check_refused(zip_of({bomb}), "compressed (method 12)");
  bomb.method = 0;
  bomb.flags = 1;
  check_refused(zip_of({bomb}), "encrypted");
}

BOOST_AUTO_TEST_CASE(entries_may_not_overlap_or_lie_outside) {
  auto entries = two;
  entries[1].header_shift = -3;
  check_refused(zip_of(entries), "z: b: overlaps the entry before it");
  entries[1].header_shift = -36; // the first entry again
  entries[1].inner_name = "a";
  BOOST_TEST(parse_error(zip_of(entries)).starts_with("corrupt_data: z: "));
  entries = two;
  entries[1].claimed_size = 7;
  check_refused(zip_of(entries), "7 bytes wanted");
  entries = two;
  entries[0].claimed_size = 6;
  check_refused(zip_of(entries), "z: b: overlaps the entry before it");
  entries = two;
  entries[1].header_shift = 1000;
  check_refused(zip_of(entries), "z: b: lies outside the archive");
  entries = two;
  entries[1].zip64 = true;
  entries[1].claimed_size = ~std::uint64_t{0} - 10;
  check_refused(zip_of(entries), "bytes wanted");
}

BOOST_AUTO_TEST_CASE(names_must_be_one_and_the_same) {
  check_refused(zip_of({{"a", "x"}, {"a", "y"}}), "z: a: given twice");
  auto entries = two;
  entries[1].inner_name = "c";
  check_refused(zip_of(entries), "z: b: the entry itself has another name");
  entries = two;
  entries[1].header_shift = 1;
  check_refused(zip_of(entries), "z: b: no entry begins at its offset");
}

BOOST_AUTO_TEST_CASE(the_directory_must_be_true) {
  check_refused("", "not a zip archive");
  check_refused(std::string(70000, 'x'), "not a zip archive");
  for (const bool zip64 : {false, true}) {
    check_refused(zip_of(two, {.rows = 60000, .zip64 = zip64}), "do not fit");
    check_refused(zip_of(two, {.rows = 1, .zip64 = zip64}), "do not fit");
    check_refused(zip_of(two, {.size = -1, .zip64 = zip64}), "bytes wanted");
    check_refused(zip_of(two, {.size = 100000, .zip64 = zip64}),
                  "outside the file");
    check_refused(zip_of(two, {.begin = 100000, .zip64 = zip64}),
                  "outside the file");
    check_refused(zip_of(two, {.begin = -5, .zip64 = zip64}),
                  "does not begin with its mark");
  }
  check_refused(zip_of(two, {.begin = -1000, .zip64 = true}), "outside");
  auto no_locator = zip_of(two, {.zip64 = true});
  no_locator[no_locator.size() - 22 - 20] = 'x';
  check_refused(no_locator, "zip64 locator is missing");
}

BOOST_AUTO_TEST_SUITE_END()
