// The table of modes and the options of a shape.
#include "benchmarks/mode.hpp"
#include "benchmarks/model/shape_options.hpp"
#include "benchmarks/model/words.hpp"
#include "hlo/support/error.hpp"
#include "runtime/config/command_line.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace ganglion;
using namespace ganglion::benchmarks;

namespace {

runtime::synthetic_spec shape_from(std::vector<std::string> arguments) {
  runtime::command_spec command;
  command.takes_engine_options = false;
  command.options = shape_options();
  return shape_of(runtime::parse_command_line(command, arguments).own);
}

} // namespace

BOOST_AUTO_TEST_SUITE(modes_table)

BOOST_AUTO_TEST_CASE(names_differ_and_help_can_be_written) {
  std::set<std::string_view> names;
  for (const mode &m : modes()) {
    BOOST_TEST(names.insert(m.spec.name).second);
    BOOST_TEST(runtime::help_text(m.spec).find("--json") != std::string::npos);
    BOOST_CHECK_NO_THROW(runtime::parse_command_line(m.spec, {}));
  }
}

BOOST_AUTO_TEST_CASE(named_shapes_have_their_sizes) {
  const auto million = [](std::vector<std::string> arguments) {
    return runtime::parameter_count(shape_from(std::move(arguments))) / 1000000;
  };
  BOOST_TEST(million({"--shape", "15m"}) == 15);
  BOOST_TEST(million({"--shape", "110m"}) == 109);
  BOOST_TEST(million({"--shape", "1.1b"}) == 1100);
}

BOOST_AUTO_TEST_CASE(options_change_the_shape) {
  const auto spec =
      shape_from({"--shape", "15m", "--hidden", "64", "--layers", "3",
                  "--heads", "4", "--ffn", "100", "--vocab", "500",
                  "--tied=false", "--seed", "9", "--family", "gpt2"});
  BOOST_TEST(spec.hidden == 64);
  BOOST_TEST(spec.layers == 3);
  BOOST_TEST(spec.heads == 4);
  BOOST_TEST(spec.kv_heads == 4);
  BOOST_TEST(spec.ffn == 100);
  BOOST_TEST(spec.vocab == 500);
  BOOST_TEST(spec.seed == 9u);
  BOOST_TEST(!spec.tied);
  BOOST_TEST((spec.family == runtime::synthetic_family::gpt2));
  const auto mixture = shape_from(
      {"--family", "mixtral", "--experts", "5", "--experts-per-token", "3"});
  BOOST_TEST((mixture.family == runtime::synthetic_family::mixtral));
  BOOST_TEST(mixture.experts == 5);
  BOOST_TEST(mixture.experts_per_token == 3);
  BOOST_TEST(describe(mixture).find("5 experts, 3 for a token") !=
             std::string::npos);
  BOOST_TEST(shape_from({"--heads", "4", "--kv-heads", "2"}).kv_heads == 2);
}

BOOST_AUTO_TEST_CASE(lists_of_words_are_checked) {
  BOOST_TEST(words_of("f32,bf16", {"f32", "bf16"}, "dtype").size() == 2u);
  for (const auto *text : {"", "f32,", "f64"})
    BOOST_CHECK_THROW(words_of(text, {"f32", "bf16"}, "dtype"), error);
}

BOOST_AUTO_TEST_SUITE_END()
