#include "tests/runtime/error_text.hpp"
#include "tests/runtime/grammar/grammar_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion::testing;
namespace grammar = ganglion::runtime::grammar;

namespace {

std::string repeated(const std::string &text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i)
    out += text;
  return out;
}

/// A schema of schemas within each other.
std::string nested_schema(int depth) {
  return repeated(R"({"items":)", depth) + "{}" + repeated("}", depth);
}

} // namespace

BOOST_AUTO_TEST_SUITE(grammar_limits)

BOOST_AUTO_TEST_CASE(sources_that_grow_too_large_are_refused) {
  const output_form forms[] = {
      regex_of("(((a{1000}){1000}){1000}){1000}"),
      regex_of("((a|b){60000}|c){60000}"),
      regex_of(repeated("(", 2000) + "a" + repeated(")", 2000)),
      regex_of(std::string((std::size_t{1} << 20) + 1, 'a')),
      regex_of(std::string(200000, 'a')),
      ebnf_of("root ::= " + repeated("(", 5000) + "\"a\"" +
              repeated(")", 5000)),
      ebnf_of("root ::= \"a\"" + repeated("*", 5000)),
      ebnf_of("root ::= a{65000}\na ::= b{65000}\nb ::= \"x\"{65000}"),
      schema_of(nested_schema(400)),
      schema_of(R"({"type":"string","minLength":65536,"maxLength":65536})" +
                std::string(std::size_t{1} << 18, ' ')),
      schema_of(R"({"maxLength":70000})"),
      schema_of(R"({"prefixItems":[)" +
                repeated(R"({"maxLength":60000},)", 20) + R"({}]})"),
      {output_kind::choice, {}, std::vector<std::string>(5000, "a")},
  };
  for (const auto &form : forms)
    BOOST_TEST(contains(error_text([&] { language g(form); }),
                        "invalid_argument: structured_outputs"),
               form.text.substr(0, 60)
                   << ": " << error_text([&] { language g(form); }));
}

BOOST_AUTO_TEST_CASE(a_chain_of_all_of_does_not_multiply) {
  // Every schema refers twice to the next: 2^16 ways down.
  std::string defs;
  for (int i = 0; i < 16; ++i) {
    const auto next = R"({"$ref":"#/$defs/d)" + std::to_string(i + 1) + "\"}";
    defs += "\"d" + std::to_string(i) + R"(":{"allOf":[)" + next + "," + next +
            "]},";
  }
  const auto text = error_text([&] {
    language g(schema_of(R"({"$ref":"#/$defs/d0","$defs":{)" + defs +
                         R"("d16":{"type":"object"}}})"));
  });
  BOOST_TEST(contains(text, "too deeply or has too many branches"), text);
}

BOOST_AUTO_TEST_CASE(reading_costs_a_bounded_number_of_visits) {
  // Patterns for which careless matchers take exponential time.
  for (const char *pattern :
       {"(a*)*b", "(a|a)*b", "(a|aa)+b", "((a?){20}){20}b", "(.*.*.*)*b"}) {
    language g(regex_of(pattern));
    BOOST_TEST(g.starts(std::string(300, 'a')), pattern);
    BOOST_TEST(g.states().visits() < 2'000'000u, pattern);
  }
}

BOOST_AUTO_TEST_CASE(a_grammar_of_too_many_readings_ends_with_an_error) {
  // The state before "b" holds a way for every number of letters so far.
  const auto trie =
      std::make_shared<const grammar::token_trie>(small_vocabulary());
  const auto rules = std::make_shared<grammar::token_grammar>(
      grammar::compile(regex_of("(a|b)*a(a|b){30000}c")), trie);
  grammar::cursor at;
  at.begin(rules, {}, 5000);
  std::vector<std::uint64_t> mask(rules->words());
  auto status = grammar::match_status::ok;
  bool accepted = false;
  std::size_t read = 0;
  for (; read < 4000 && status == grammar::match_status::ok; ++read) {
    at.append('a');
    status = at.allowed(mask, accepted);
  }
  BOOST_TEST((status == grammar::match_status::too_complex));
  BOOST_TEST(read > 50u);
  BOOST_TEST(!accepted);
}

BOOST_AUTO_TEST_CASE(work_for_one_mask_is_bounded) {
  grammar::limits few;
  few.visits = 300;
  const auto trie =
      std::make_shared<const grammar::token_trie>(small_vocabulary());
  const auto rules = std::make_shared<grammar::token_grammar>(
      grammar::compile({output_kind::json_object, {}, {}}, few), trie);
  grammar::cursor at;
  at.begin(rules, {}, 10);
  std::vector<std::uint64_t> mask(rules->words());
  bool accepted = false;
  BOOST_TEST((at.allowed(mask, accepted) == grammar::match_status::ok));
  at.append('{');
  at.append('"');
  BOOST_TEST(
      (at.allowed(mask, accepted) == grammar::match_status::too_complex));
}

BOOST_AUTO_TEST_CASE(deep_values_end_where_the_depth_does) {
  language any(schema_of("{}"));
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  BOOST_TEST(any.accepts(nested(50)));
  BOOST_TEST(!any.accepts(nested(200)));
  std::size_t open = 0;
  while (any.starts(std::string(open + 1, '[')))
    ++open;
  BOOST_TEST(any.accepts(nested(open)));
}

BOOST_AUTO_TEST_SUITE_END()
