#include "runtime/chat/chat_template.hpp"
#include "runtime/chat/from_json.hpp"
#include "tests/fixtures.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace ganglion;
using runtime::chat_options;
namespace chat = runtime::chat;

namespace {

// What happened, as one text: the prompt, or the failure.
std::string outcome(const std::string &source, const chat::value &messages,
                    const chat_options &options) {
  try {
    return runtime::chat_template::parse(source).render(messages, options);
  } catch (const chat::chat_error &e) {
    return std::string("! ") + chat::to_string(e.kind()) + ": " + e.what();
  }
}

std::string outcome(const std::string &source, chat_options options = {}) {
  return outcome(source, chat::value::list({}), options);
}

std::tm noon() {
  std::tm out{};
  out.tm_hour = 12;
  out.tm_mday = 26;
  out.tm_mon = 6;
  out.tm_year = 124;
  return out;
}

std::string expected(const json::value &line) {
  if (!line.find("error"))
    return line.at("rendered").as_string();
  return "! " + line.at("error").as_string() + ": " +
         line.at("error_message").as_string();
}

void add_all(const json::value &from, chat_options &to) {
  for (const auto &[name, item] : from.members())
    to.extra.emplace_back(name, chat::from_json(item));
}

chat_options options_of(const json::value &line) {
  chat_options out;
  out.add_generation_prompt = line.at("add_generation_prompt").as_bool();
  out.bos_token = line.get_string("bos_token", "");
  out.eos_token = line.get_string("eos_token", "");
  if (const auto tools = line.find("tools"))
    out.tools = chat::from_json(*tools);
  if (const auto documents = line.find("documents"))
    out.documents = chat::from_json(*documents);
  if (const auto extra = line.find("extra"))
    add_all(*extra, out);
  out.clock = noon;
  return out;
}

template <class Check>
std::size_t each_line(const std::string &path, Check check) {
  std::ifstream file(path);
  std::size_t count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    const auto document = json::document::parse(line, path);
    BOOST_TEST_CONTEXT(path << ":" << count + 1) { check(document.root()); }
  }
  return count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(chat_template)

BOOST_AUTO_TEST_CASE(features_render_exactly) {
  const auto count = each_line(
      testing::fixture("chat/jinja_features.jsonl"), [](const auto &line) {
        chat_options options;
        add_all(line.at("context"), options);
        BOOST_TEST(outcome(line.at("template").as_string(), options) ==
                   expected(line));
      });
  BOOST_TEST(count == 77u);
}

BOOST_AUTO_TEST_CASE(published_templates_render_exactly) {
  if (testing::goldens().empty()) {
    BOOST_TEST_MESSAGE("skipped: GANGLION_GOLDENS names no directory");
    return;
  }
  std::size_t count = 0;
  for (const auto &entry : std::filesystem::directory_iterator(
           testing::goldens() + "/chat_templates")) {
    if (entry.path().extension() != ".jinja")
      continue;
    std::ostringstream source;
    source << std::ifstream(entry.path()).rdbuf();
    auto cases = entry.path();
    cases.replace_extension(".jsonl");
    count += each_line(cases.string(), [&](const auto &line) {
      BOOST_TEST(outcome(source.str(), chat::from_json(line.at("messages")),
                         options_of(line)) == expected(line));
    });
  }
  BOOST_TEST(count > 300u);
}

BOOST_AUTO_TEST_CASE(unknown_constructs_are_found_at_load) {
  const std::pair<const char *, const char *> cases[] = {
      {"a\n{% include 'x' %}", "{% include %} is not supported"},
      {"\n{% frob %}", "unknown tag {% frob %}"},
      {"\n{{ 1 | frob }}", "No filter named 'frob'."},
      {"\n{{ 1 | random }}", "the filter 'random' is not supported"},
      {"\n{{ 1 is frob }}", "No test named 'frob'."},
      {"\n{{ x | map('frob') }}", "No filter named 'frob'."},
      {"\n{{ 'open }}", "a string has no end"},
      {"\n{% break %}", "{% break %} outside of a loop"}};
  for (const auto &[source, message] : cases)
    BOOST_CHECK_EXCEPTION(runtime::chat_template::parse(source),
                          chat::chat_error, [&](const auto &e) {
                            BOOST_TEST(e.what() == std::string(message));
                            return e.line() == 2;
                          });
}

BOOST_AUTO_TEST_CASE(limits_end_what_would_not_end) {
  const char *cases[] = {
      "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
      "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}"
      "{% endfor %}",
      "{{ 'x' * 1000000000000 }}",
      "{{ 'x' | center(1000000000000) }}",
      "{% set n = namespace(a=[]) %}{% for i in range(9999) %}"
      "{% set n.a = [n.a] %}{% endfor %}",
      "{% set n = namespace(a=[1]) %}{% for i in range(64) %}"
      "{% set n.a = [n.a, n.a] %}{% endfor %}{{ n.a }}",
      "{% set n = namespace(a='x') %}{% for i in range(64) %}"
      "{% set n.a = n.a ~ n.a %}{% endfor %}"};
  for (const auto *source : cases)
    BOOST_TEST(outcome(source).starts_with("! LimitError: "), source);
  const auto nested = std::string(9999, '(') + "1" + std::string(9999, ')');
  BOOST_TEST(outcome("{{ " + nested + " }}").starts_with("! LimitError: "));
  BOOST_TEST(outcome("{{ 1 is eq }}") ==
             "! TypeError: test() missing a required argument: 'other'");
}

BOOST_AUTO_TEST_CASE(the_clock_is_the_callers) {
  chat_options options;
  options.clock = noon;
  BOOST_TEST(outcome("{{ strftime_now('%d %b %Y') }}", options) ==
             "26 Jul 2024");
}

BOOST_AUTO_TEST_SUITE_END()
