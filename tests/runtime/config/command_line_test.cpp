#include "runtime/config/command_line.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

const command_spec generate{
    .name = "generate",
    .summary = "Continues a prompt.",
    .positional = "[PROMPT]",
    .max_positionals = 1,
    .options = {{.name = "prompt_ids",
                 .kind = option_kind::integer_list,
                 .help = "token ids instead of text",
                 .least = 0},
                {.name = "temperature",
                 .kind = option_kind::real,
                 .fallback = "1",
                 .help = "sampling temperature",
                 .least = 0},
                {.name = "stop",
                 .kind = option_kind::string_list,
                 .help = "text that ends the generation"},
                {.name = "json",
                 .kind = option_kind::boolean,
                 .help = "print one JSON object"}}};

parsed_command parse(const std::vector<std::string> &arguments) {
  return parse_command_line(generate, arguments);
}

std::string failure(const std::vector<std::string> &arguments) {
  return error_text([&] { parse(arguments); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(command_line)

BOOST_AUTO_TEST_CASE(own_and_engine_options_are_told_apart) {
  const auto parsed =
      parse({"--model", "dir", "Once upon", "--prompt-ids=1,2", "--json",
             "--temperature", "0.5", "--tp_degree=2"});
  BOOST_TEST(parsed.own.get<std::vector<std::int64_t>>("prompt_ids") ==
                 (std::vector<std::int64_t>{1, 2}),
             boost::test_tools::per_element());
  BOOST_TEST(parsed.own.boolean("json"));
  BOOST_TEST(parsed.own.real("temperature") == 0.5);
  BOOST_TEST(parsed.own.is_set("temperature"));
  BOOST_TEST(!parsed.own.is_set("stop"));
  BOOST_REQUIRE(parsed.positionals.size() == 1u);
  BOOST_TEST(parsed.positionals[0] == "Once upon");
  BOOST_REQUIRE(parsed.engine.size() == 2u);
  BOOST_TEST(parsed.engine[0].option->name == "model_id");
  BOOST_TEST(parsed.engine[1].text == "2");
  BOOST_TEST(parsed.engine[1].key == "--tp_degree");
}

BOOST_AUTO_TEST_CASE(lists_collect_and_others_take_the_last) {
  const auto parsed = parse({"--stop=a=b", "--temperature=1", "--stop", "-c",
                             "--temperature=2", "--json=false"});
  BOOST_TEST(parsed.own.get<std::vector<std::string>>("stop") ==
                 (std::vector<std::string>{"a=b", "-c"}),
             boost::test_tools::per_element());
  BOOST_TEST(parsed.own.real("temperature") == 2);
  BOOST_TEST(!parsed.own.boolean("json"));
}

BOOST_AUTO_TEST_CASE(dashes) {
  BOOST_TEST(parse({"-"}).positionals.at(0) == "-");
  BOOST_TEST(parse({"--", "--json"}).positionals.at(0) == "--json");
  BOOST_TEST(!parse({"--", "-h"}).help);
  BOOST_TEST(parse({"-h"}).help);
  BOOST_TEST(parse({"--help"}).help);
}

BOOST_AUTO_TEST_CASE(mistakes_are_named) {
  BOOST_TEST(failure({"--temprature", "1"}) ==
             "invalid_argument: command line: --temprature: unknown option; "
             "did you mean --temperature?");
  BOOST_TEST(contains(failure({"--tp-degre=1"}), "did you mean --tp-degree?"));
  BOOST_TEST(contains(failure({"--xyzzy"}), "--xyzzy: unknown option; -h"));
  BOOST_TEST(contains(failure({"-x"}), "-x: unknown option"));
  BOOST_TEST(contains(failure({"--temperature"}), "needs a value: a number"));
  BOOST_TEST(contains(failure({"--model", "--json"}), "--model: needs a"));
  BOOST_TEST(contains(failure({"--temperature", "-1"}), "'-1' is not"));
  BOOST_TEST(contains(failure({"a", "b"}), "unexpected argument 'b'"));
  const command_spec bare{.name = "x", .takes_engine_options = false};
  const std::vector<std::string> arguments{"--model=m"};
  BOOST_CHECK_THROW(parse_command_line(bare, arguments), error);
}

BOOST_AUTO_TEST_CASE(an_own_option_hides_the_engines) {
  const command_spec command{
      .name = "x", .options = {{.name = "seed", .help = "of this request"}}};
  const std::vector<std::string> arguments{"--seed=7"};
  const auto parsed = parse_command_line(command, arguments);
  BOOST_TEST(parsed.own.string("seed") == "7");
  BOOST_TEST(parsed.engine.empty());
  BOOST_TEST(contains(help_text(command), "of this request"));
  BOOST_TEST(!contains(help_text(command), "requests that bring none"));
}

BOOST_AUTO_TEST_CASE(help_shows_every_row_within_the_width) {
  const auto text = help_text(generate);
  BOOST_TEST(text.starts_with("usage: ganglion generate [options] [PROMPT]"));
  for (const auto &spec : engine_options()) {
    const bool shown = spec.scope != option_scope::ignored &&
                       spec.scope != option_scope::refused;
    BOOST_TEST(contains(text, std::string(spec.help.substr(0, 20))) == shown,
               spec.name);
  }
  for (const char *part :
       {"--prompt-ids", "--tensor-parallel-degree, --tp-degree", "[8080]",
        "HF_MODEL_ID", "from 0 to 64 or max", "Scheduling:"})
    BOOST_TEST(contains(text, part), part);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    BOOST_TEST(line.size() <= 80u, line);
}

BOOST_AUTO_TEST_SUITE_END()
