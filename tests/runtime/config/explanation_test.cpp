#include "runtime/config/explanation.hpp"
#include "runtime/config/value_text.hpp"
#include "tests/runtime/config/container_model.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

/// The line of `text` that begins with `name`, blanks before '#' as one.
std::string line_of(const std::string &text, const std::string &name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name + " = ")) {
      const auto mark = line.find('#');
      const auto end = line.find_last_not_of(' ', mark - 1);
      return line.substr(0, end + 1) + " " + line.substr(mark);
    }
  return {};
}

} // namespace

BOOST_AUTO_TEST_SUITE(explanation)

BOOST_AUTO_TEST_CASE(each_value_has_its_origin) {
  const container_model model;
  model.write("serving.properties", "\noption.chunk=16\noption.fuse_mlp=1\n");
  const auto loaded = model.start({"--model", model.path(), "--port=0"},
                                  {{"OPTION_DTYPE", "bf16"},
                                   {"SERVING_JOB_QUEUE_SIZE", "5"},
                                   {"TENSOR_PARALLEL_DEGREE", "max"}});
  const auto text = runtime::explanation(loaded.values);
  for (const std::string &line :
       {std::string("chunk = 16 # ") + (model / "serving.properties:2"),
        std::string("fuse_mlp = true # ") + (model / "serving.properties:3"),
        std::string("dtype = bf16 # environment OPTION_DTYPE"),
        std::string("job_queue_size = 5 # environment SERVING_JOB_QUEUE_SIZE"),
        std::string("tensor_parallel_degree = max # environment "
                    "TENSOR_PARALLEL_DEGREE"),
        std::string("port = 0 # command line --port"),
        std::string("n_positions = 4096 # smart default"),
        std::string("quantize = none # default")})
    BOOST_TEST(line_of(text, line.substr(0, line.find(' '))) == line);
  BOOST_TEST(!contains(text, "translator_factory")); // does nothing, not set
  const auto lines = given_lines(loaded.values);
  BOOST_TEST(contains(lines, "option.chunk=16\n"));
  BOOST_TEST(contains(lines, "option.n_positions=4096\n"));
  BOOST_TEST(!contains(lines, "quantize"));
}

BOOST_AUTO_TEST_CASE(values_are_written_as_they_are_read) {
  BOOST_TEST(value_text(std::vector<std::int64_t>{1, 8}) == "1,8");
  BOOST_TEST(value_text(0.1) == "0.1");
  BOOST_TEST(value_text(true) == "true");
  const option_spec secret{.name = "s", .secret = true};
  BOOST_TEST(shown_text(secret, std::string("hush")) == "***");
  BOOST_TEST(shown_text(secret, std::string()) == "");
}

BOOST_AUTO_TEST_SUITE_END()
