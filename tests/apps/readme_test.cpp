// The README's examples are the programs that are built, and they do what it
// says.
#include "tests/apps/child_process.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
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

BOOST_AUTO_TEST_CASE(shows_the_programs_as_they_compile) {
  const std::string readme = text_of("README.md");
  for (const char *path :
       {"apps/embed/quickstart.cpp", "apps/embed/hf_program.cpp"}) {
    const std::string program = text_of(path);
    BOOST_REQUIRE(!program.empty());
    BOOST_TEST(readme.find(program) != std::string::npos, path);
  }
}

BOOST_AUTO_TEST_CASE(its_embedding_prints_the_story_alone) {
  std::filesystem::current_path(GANGLION_SOURCE_DIR);
  ganglion::testing::child_process program({}, "ganglion-quickstart");
  const auto out = program.read_all();
  BOOST_TEST(out.starts_with(", there was a little girl named Lily."), out);
  BOOST_TEST(out.ends_with("\n"));
  BOOST_TEST(std::ranges::count(out, '\n') == 2, out);
  BOOST_TEST(program.wait() == 0);
}

BOOST_AUTO_TEST_CASE(its_library_example_runs) {
  const ganglion::testing::scratch_directory work;
  ganglion::testing::child_process program(
      {ganglion::testing::stories260k(), work.path()}, "ganglion-hf-program");
  const auto out = program.read_all();
  for (const char *part :
       {"Once upon a time", "\nLily and Ben are friends. They",
        "\ncompiled 0 programs the second time\nLily and Ben"})
    BOOST_TEST(out.find(part) != std::string::npos, out);
  BOOST_TEST(program.wait() == 0);
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
