// The README's embedding example is the program that is built.
#include "tests/fixtures.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <sstream>

namespace {

std::string text_of(const std::string &path) {
  std::ifstream file(ganglion::testing::source_dir() + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace

BOOST_AUTO_TEST_SUITE(readme)

BOOST_AUTO_TEST_CASE(shows_the_quickstart_as_it_compiles) {
  const std::string program = text_of("apps/embed/quickstart.cpp");
  BOOST_REQUIRE(!program.empty());
  BOOST_TEST(text_of("README.md").find(program) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(names_files_that_exist) {
  std::istringstream readme(text_of("README.md"));
  int named = 0;
  for (std::string line; std::getline(readme, line);) {
    const auto open = line.find(". `");
    if (open == std::string::npos || !std::isdigit(line[0]))
      continue;
    const auto close = line.find('`', open + 3);
    BOOST_TEST(!text_of(line.substr(open + 3, close - open - 3)).empty());
    ++named;
  }
  BOOST_TEST(named == 10);
}

BOOST_AUTO_TEST_SUITE_END()
