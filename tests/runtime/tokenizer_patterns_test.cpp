#include "hlo/support/error.hpp"
#include "runtime/tokenizer/known_patterns.hpp"
#include "runtime/tokenizer/split_pattern.hpp"
#include "runtime/tokenizer/unicode.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <random>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

const std::array<std::string, 3> patterns{
    std::string(gpt2_pattern),
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

// Characters that the patterns treat differently, or nearly so.
const std::vector<char32_t> interesting{
    ' ',    ' ',   '\n',   '\r',   '\t',    '\'',    's',    'S',   't',
    'r',    'e',   'E',    'v',    'm',     'l',     'L',    'd',   'D',
    'a',    'Z',   '0',    '7',    '.',     '-',     '_',    '\0',  0x85,
    0xA0,   0x17F, 0x212A, 0x2019, 0x2028,  0x3000,  0x200B, 0x301, 0x0663,
    0x216B, 0xBD,  0xE9,   0x4E2D, 0x1F600, 0x10400, 0xFFFD, 0x130, 0xFB05};

std::string random_text(std::mt19937 &random) {
  std::string out;
  const auto length = random() % 24;
  for (std::size_t i = 0; i < length; ++i) {
    char32_t c = interesting[random() % interesting.size()];
    if (random() % 8 == 0)
      c = random() % 0x110000;
    if (c < 0xD800 || c > 0xDFFF)
      append_utf8(out, c);
  }
  return out;
}

std::vector<std::string> pieces(const split_pattern &pattern,
                                const std::string &text,
                                split_behavior behavior) {
  std::vector<std::string> out;
  for (const auto &[begin, end] : split(pattern.parts(text), behavior))
    out.push_back(text.substr(begin, end - begin));
  return out;
}

using strings = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_patterns)

BOOST_AUTO_TEST_CASE(scanners_cut_where_oniguruma_cuts) {
  std::mt19937 random(20240517);
  for (const auto &pattern : patterns) {
    const auto scan = find_scanner(pattern);
    BOOST_REQUIRE(scan);
    const regex slow(pattern, "test", "pattern");
    for (int i = 0; i < 20000; ++i) {
      const auto text = random_text(random);
      std::vector<span_of_text> fast;
      for (std::size_t at = 0; at < text.size();) {
        const auto length = scan(std::string_view(text).substr(at));
        BOOST_REQUIRE(length > 0);
        fast.emplace_back(at, at + length);
        at += length;
      }
      BOOST_REQUIRE_MESSAGE(fast == slow.find_all(text),
                            "differs on '" << text << "' with " << pattern);
    }
  }
}

BOOST_AUTO_TEST_CASE(other_patterns_have_no_scanner) {
  BOOST_TEST(!find_scanner(R"(\s+)"));
}

BOOST_AUTO_TEST_CASE(classes_agree_with_oniguruma) {
  const regex letter(R"(\p{L})", "", ""), number(R"(\p{N})", "", ""),
      space(R"(\s)", "", "");
  for (char32_t c = 0; c < 0x30000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF)
      continue;
    const auto text = to_utf8(c);
    const auto kind = class_of(c);
    BOOST_REQUIRE_MESSAGE(
        (kind == char_class::letter) == !letter.find_all(text).empty() &&
            (kind == char_class::number) == !number.find_all(text).empty() &&
            (kind == char_class::space) == !space.find_all(text).empty(),
        "U+" << std::hex << static_cast<unsigned>(c));
  }
}

BOOST_AUTO_TEST_CASE(behaviors) {
  const auto dash = split_pattern::literal("-");
  const std::string text = "-a--b-";
  BOOST_TEST(pieces(dash, text, split_behavior::removed) == (strings{"a", "b"}),
             boost::test_tools::per_element());
  BOOST_TEST(pieces(dash, text, split_behavior::isolated) ==
                 (strings{"-", "a", "-", "-", "b", "-"}),
             boost::test_tools::per_element());
  BOOST_TEST(pieces(dash, text, split_behavior::contiguous) ==
                 (strings{"-", "a", "--", "b", "-"}),
             boost::test_tools::per_element());
  BOOST_TEST(pieces(dash, text, split_behavior::merged_with_previous) ==
                 (strings{"-", "a-", "-", "b-"}),
             boost::test_tools::per_element());
  BOOST_TEST(pieces(dash, text, split_behavior::merged_with_next) ==
                 (strings{"-a", "-", "-b", "-"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(empty_matches_do_not_hang) {
  const regex nothing("x*", "", "");
  BOOST_TEST(nothing.find_all("axé").size() == 3); // before a, x, the end
  BOOST_TEST(nothing.find_all("").size() == 1);
}

BOOST_AUTO_TEST_CASE(a_pattern_that_explodes_is_an_error) {
  const regex evil("(a|aa)+$", "", "");
  BOOST_CHECK_THROW(evil.find_all(std::string(200, 'a') + "!"), error);
}

BOOST_AUTO_TEST_CASE(a_bad_pattern_is_an_error_with_its_place) {
  try {
    regex("(", "tokenizer.json", "pre_tokenizer.pattern.Regex");
    BOOST_FAIL("no error");
  } catch (const error &e) {
    BOOST_TEST(e.where() == "tokenizer.json");
    BOOST_TEST(e.field() == "pre_tokenizer.pattern.Regex");
  }
}

BOOST_AUTO_TEST_CASE(utf8_reading_and_writing) {
  for (char32_t c = 0; c < 0x110000; c += c < 0x900 ? 1 : 37) {
    const auto step = next_code_point(to_utf8(c));
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    BOOST_REQUIRE(step.valid == !surrogate);
    BOOST_REQUIRE((surrogate || step.value == c));
  }
  std::string out;
  append_lossy(out, "a\x80\xC0\xAF\xE2\x82\xF0\x9F\x98z\xED\xA0\x80", false);
  const auto r = std::string(replacement_character);
  BOOST_TEST(out == "a" + r + r + r + r + r + "z" + r + r + r);
  out.clear();
  BOOST_TEST(append_lossy(out, "é\xE2\x82", true) == 2);
  BOOST_TEST(out == "é");
}

BOOST_AUTO_TEST_CASE(normal_forms) {
  const auto form = [](std::string text, normal_form f) {
    normalize(text, f);
    return text;
  };
  BOOST_TEST(form("e\u0301", normal_form::nfc) == "é");
  BOOST_TEST(form("é", normal_form::nfd) == "e\u0301");
  BOOST_TEST(form("ﬁ", normal_form::nfkc) == "fi");
  BOOST_TEST(form("ﬁé", normal_form::nfkd) == "fie\u0301");
  BOOST_TEST(form("ﬁ", normal_form::nfc) == "ﬁ");
  BOOST_TEST(form("plain", normal_form::nfkd) == "plain");
}

BOOST_AUTO_TEST_SUITE_END()
