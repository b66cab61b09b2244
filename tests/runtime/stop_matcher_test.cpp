#include "runtime/generation/stop_matcher.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

using matcher = ganglion::runtime::stop_matcher;

BOOST_AUTO_TEST_SUITE(stop_matcher)

BOOST_AUTO_TEST_CASE(passes_text_on_as_early_as_possible) {
  matcher m({"END"});
  BOOST_TEST(m.push("hello E") == "hello ");
  BOOST_TEST(m.push("x") == "Ex");
  BOOST_TEST(m.push("EN") == "");
  BOOST_TEST(m.push("D tail") == "");
  BOOST_TEST(m.matched());
  BOOST_TEST(m.push("more") == "");
  BOOST_TEST(m.finish() == "");
}

BOOST_AUTO_TEST_CASE(gives_back_what_it_held) {
  matcher m({"END"});
  BOOST_TEST(m.push("theEN") == "the");
  BOOST_TEST(m.finish() == "EN");
}

BOOST_AUTO_TEST_CASE(does_not_depend_on_how_the_text_is_cut) {
  std::mt19937 random(3);
  const auto letters = [&](int n) {
    std::string s;
    for (int i = 0; i < n; ++i)
      s += "ab"[random() % 2];
    return s;
  };
  for (int round = 0; round < 2000; ++round) {
    const std::vector<std::string> stops{letters(1 + random() % 6),
                                         letters(3 + random() % 4)};
    const std::string text = letters(40);
    // By single characters: the stop string that is complete first wins.
    std::size_t first = std::string::npos;
    for (std::size_t end = 1; end <= text.size() && first > text.size(); ++end)
      for (const auto &s : stops)
        if (text.substr(0, end).ends_with(s))
          first = std::min(first, end - s.size());
    matcher m(stops);
    std::string out;
    for (std::size_t i = 0; i < text.size() && !m.matched();) {
      const std::size_t n = 1 + random() % 5;
      out += m.push(text.substr(i, n));
      i += n;
    }
    out += m.finish();
    BOOST_TEST(out == text.substr(0, first));
  }
}

BOOST_AUTO_TEST_SUITE_END()
