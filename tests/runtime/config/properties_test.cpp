#include "runtime/config/properties.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

/// "key>value|" for each property.
std::string flat(std::string_view text) {
  std::string out;
  for (const auto &[key, value, line] : parse_properties(text, "p"))
    out.append(key).append(">").append(value).append("|");
  return out;
}

std::string failure(std::string_view text) {
  return error_text([&] { parse_properties(text, "p"); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(properties)

BOOST_AUTO_TEST_CASE(separators) {
  BOOST_TEST(flat("a=1\nb:2\nc 3\n") == "a>1|b>2|c>3|");
  BOOST_TEST(flat("a = 1\nb : 2\nc\t3") == "a>1|b>2|c>3|");
  BOOST_TEST(flat("a = = 1") == "a>= 1|");
  BOOST_TEST(flat("a 1=2") == "a>1=2|");
  BOOST_TEST(flat("a") == "a>|");
  BOOST_TEST(flat("a=") == "a>|");
  BOOST_TEST(flat("=x") == ">x|");
  BOOST_TEST(flat("  a=1  ") == "a>1  |"); // Java keeps what trails
}

BOOST_AUTO_TEST_CASE(line_ends_comments_and_blank_lines) {
  BOOST_TEST(flat("a=1\r\nb=2\rc=3\n\n \t\f\nd=4") == "a>1|b>2|c>3|d>4|");
  BOOST_TEST(flat("# a=1\n  ! b=2\nc=#3\n") == "c>#3|");
  BOOST_TEST(flat("# not continued \\\na=1") == "a>1|");
  BOOST_TEST(flat("") == "");
}

BOOST_AUTO_TEST_CASE(continuation) {
  BOOST_TEST(flat("a=1,\\\n   2,\\\r\n\t3\nb=4") == "a>1,2,3|b>4|");
  BOOST_TEST(flat("a=1\\\\\nb=2") == "a>1\\|b>2|");
  BOOST_TEST(flat("a=1\\\\\\\nb=2") == "a>1\\b=2|");
  BOOST_TEST(flat("a=1\\\n\nb=2") == "a>1|b>2|");
  BOOST_TEST(flat("a=1\\\n# text") == "a>1# text|");
  BOOST_TEST(flat("a=1\\") == "a>1|");
}

BOOST_AUTO_TEST_CASE(escapes) {
  BOOST_TEST(flat("a\\ b\\:c\\=d=1") == "a b:c=d>1|");
  BOOST_TEST(flat("a=\\t\\n\\r\\f\\q\\\\") == "a>\t\n\r\fq\\|");
  BOOST_TEST(flat("a=\\u0041\\u00e9\\u20AC\\ud83d\\ude00") == "a>Aé€😀|");
}

BOOST_AUTO_TEST_CASE(broken_escapes_name_their_line) {
  for (const char *value : {"\\u", "\\u12", "\\u12g4", "\\u+123", "\\ud83d",
                            "\\ud83d\\u0041", "\\ude00", "\\ud83dx"}) {
    const auto text = failure(std::string("a=1\n\nb=") + value);
    BOOST_TEST(text.starts_with("corrupt_data: p:3: "), value << " " << text);
  }
}

BOOST_AUTO_TEST_CASE(lines_are_counted_where_they_begin) {
  const auto all = parse_properties("#\r\na=1\\\n2\nb=3", "p");
  BOOST_TEST(all.size() == 2u);
  BOOST_TEST(all[0].line == 2u);
  BOOST_TEST(all[1].line == 4u);
}

BOOST_AUTO_TEST_CASE(size_is_bounded) {
  BOOST_TEST(failure(std::string(max_properties_size, '#')) == "no error");
  BOOST_TEST(failure(std::string(max_properties_size + 1, '#')) ==
             "corrupt_data: p: larger than 1048576 bytes");
  std::string many;
  for (std::size_t i = 0; i < max_properties; ++i)
    many += "k\n";
  BOOST_TEST(failure(many) == "no error");
  BOOST_TEST(contains(failure(many + "k"), "more than 4096 properties"));
  const scratch_directory dir;
  dir.write("big", std::string(max_properties_size + 1, '#'));
  BOOST_CHECK_THROW(load_properties(dir / "big"), error);
  BOOST_TEST(error_text([&] {
               load_properties(dir / "no");
             }).starts_with("not_found"));
  BOOST_TEST(error_text([&] {
               load_properties(dir.path());
             }).starts_with("not_found"));
}

BOOST_AUTO_TEST_SUITE_END()
