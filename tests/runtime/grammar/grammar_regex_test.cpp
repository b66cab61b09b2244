#include "tests/runtime/error_text.hpp"
#include "tests/runtime/grammar/grammar_text.hpp"

#include <boost/test/unit_test.hpp>

#include <regex>

using namespace ganglion::testing;

namespace {

/// All strings of up to `longest` letters.
std::vector<std::string> strings_over(std::string_view letters,
                                      std::size_t longest) {
  std::vector<std::string> out{""};
  for (std::size_t begin = 0; out.back().size() < longest;) {
    const std::size_t end = out.size();
    for (; begin < end; ++begin)
      for (const char c : letters)
        out.push_back(out[begin] + c);
  }
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(grammar_regex)

BOOST_AUTO_TEST_CASE(matches_what_the_standard_library_matches) {
  const auto texts = strings_over("ab1_ .", 5);
  for (const char *pattern : {"a",
                              "",
                              "a*",
                              "(a|b)*",
                              "(ab)+1?",
                              "a{2}",
                              "a{1,3}b{0,1}",
                              "a{2,}",
                              "[ab]+[^ab]",
                              "[a-b1]*",
                              "\\w+",
                              "\\W",
                              "\\d|\\s",
                              "\\S\\D",
                              "a.b",
                              "(a|ab)(b|1)*",
                              "(?:a|(?:b1)?)+",
                              "a+?b*?",
                              "[.]\\.",
                              "((a*)*)*b",
                              "(|a)b",
                              "a|b|1_",
                              "(a?){3}b",
                              "^a*$",
                              "^ab|b1$",
                              "[_-]a",
                              "\\x61b",
                              "\\u0062"}) {
    language grammar(regex_of(pattern));
    const std::regex expected(pattern, std::regex::ECMAScript);
    for (const auto &text : texts)
      if (grammar.accepts(text) != std::regex_match(text, expected))
        BOOST_ERROR(pattern << " on '" << text << "'");
  }
}

BOOST_AUTO_TEST_CASE(knows_what_may_still_become_a_match) {
  const auto texts = strings_over("ab1", 7);
  for (const char *pattern :
       {"a(b|1){2}a", "(ab|a1)b?", "[^a]a{2,3}", "(a|b1)(1|b)"}) {
    language grammar(regex_of(pattern));
    for (const auto &start : texts) {
      if (start.size() > 4)
        break;
      const bool expected =
          std::ranges::any_of(texts, [&](const std::string &text) {
            return text.starts_with(start) && grammar.accepts(text);
          });
      if (grammar.starts(start) != expected)
        BOOST_ERROR(pattern << " from '" << start << "'");
    }
  }
}

BOOST_AUTO_TEST_CASE(characters_are_those_of_utf_8) {
  language any(regex_of("."));
  for (const char *one : {"a", "é", "日", "😀", "\x7F"})
    BOOST_TEST(any.accepts(one), one);
  for (const char *none : {"\n", "\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xE6\x97", "aé"})
    BOOST_TEST(!any.accepts(none));
  language some(regex_of("[а-яё]{2}[^\\x00-\\x7F]"));
  BOOST_TEST(some.accepts("даé"));
  BOOST_TEST(!some.accepts("да!"));
  BOOST_TEST(!some.accepts("Даé"));
}

BOOST_AUTO_TEST_CASE(every_code_point_of_a_class_and_no_other) {
  using ganglion::runtime::grammar::code_points;
  const code_points set = code_points(0x70, 0x900).minus({0x100, 0x17F});
  language grammar(regex_of("[\\u0070-\\u00FF\\u0180-\\u0900]"));
  for (char32_t c = 1; c < 0x1000; ++c) {
    std::string text;
    if (c < 0x80)
      text = {static_cast<char>(c)};
    else if (c < 0x800)
      text = {static_cast<char>(0xC0 | c >> 6),
              static_cast<char>(0x80 | (c & 63))};
    else
      text = {static_cast<char>(0xE0 | c >> 12),
              static_cast<char>(0x80 | (c >> 6 & 63)),
              static_cast<char>(0x80 | (c & 63))};
    if (grammar.accepts(text) != set.contains(c))
      BOOST_ERROR("code point " << static_cast<std::uint32_t>(c));
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_supported_is_refused_with_its_place) {
  struct refusal {
    const char *pattern, *message;
  };
  for (const auto &[pattern, message] : {
           refusal{"a(b", "at character 4: a group is not closed"},
           {"ab)", "at character 3: a ) that closes nothing"},
           {"[a", "a class is not closed"},
           {"[]", "a class of nothing"},
           {"[b-a]", "a range that is none"},
           {"[\\d-z]", "a range that is none"},
           {"[[:alpha:]]", "POSIX classes"},
           {"*a", "a quantifier of nothing"},
           {"a**", "a quantifier of a quantifier"},
           {"a{2", "not closed with }"},
           {"a{x}", "a number is missing"},
           {"a{3,2}", "the wrong way round"},
           {"a{99999999}", "larger than 65536"},
           {"(?=a)", "only groups ( ) and (?: )"},
           {"(?<n>a)", "only groups"},
           {"\\1", "this escape is not supported"},
           {"\\bword", "this escape is not supported"},
           {"\\p{L}", "this escape is not supported"},
           {"\\", "nothing follows a backslash"},
           {"\\x1", "2 hexadecimal digits"},
           {"\\uD800", "stands for no character"},
           {"a^b", "^ is accepted at the start only"},
           {"(^a)", "^ is accepted at the start only"},
           {"a$b", "$ is accepted at the end only"},
           {"\xFF", "not UTF-8 at byte 0"},
           {"[^\\x00-\\U0010FFFF]", "a class without characters"},
       }) {
    const auto text = error_text([&] { language grammar(regex_of(pattern)); });
    BOOST_TEST(contains(text, "invalid_argument: structured_outputs.regex: "),
               text);
    BOOST_TEST(contains(text, message), pattern << ": " << text);
  }
}

BOOST_AUTO_TEST_CASE(choices_are_whole_texts) {
  language grammar({output_kind::choice, {}, {"yes", "no", "not", "yes"}});
  BOOST_TEST(grammar.accepts("yes"));
  BOOST_TEST(grammar.accepts("no"));
  BOOST_TEST(grammar.accepts("not"));
  BOOST_TEST(!grammar.accepts("ye"));
  BOOST_TEST(!grammar.accepts("nota"));
  BOOST_TEST(grammar.starts("ye"));
  BOOST_TEST(!grammar.starts("noe"));
  for (const std::vector<std::string> &bad :
       {std::vector<std::string>{}, {"a", ""}})
    BOOST_TEST(contains(error_text([&] {
                          language g({output_kind::choice, {}, bad});
                        }),
                        "invalid_argument: structured_outputs.choice: "));
}

BOOST_AUTO_TEST_SUITE_END()
