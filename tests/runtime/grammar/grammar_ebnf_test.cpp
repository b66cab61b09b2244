#include "tests/runtime/error_text.hpp"
#include "tests/runtime/grammar/grammar_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion::testing;

BOOST_AUTO_TEST_SUITE(grammar_ebnf)

BOOST_AUTO_TEST_CASE(rules_call_each_other) {
  language sum(ebnf_of(R"~(
    # sums of products
    root   ::= term ( [-+] term )*
    term   ::= factor ("*" factor)*
    factor ::= number | "(" root ")"   # nested
    number ::= [1-9] [0-9]{0,2} | "0"
  )~"));
  for (const char *text : {"1", "1+2", "10*(3-4)*((5))", "0-0", "(((999)))"})
    BOOST_TEST(sum.accepts(text), text);
  for (const char *text : {"", "01", "1+", "(1", "1)", "1000", "1 + 2", "()"})
    BOOST_TEST(!sum.accepts(text), text);
  BOOST_TEST(sum.starts("(1+(2*"));
  BOOST_TEST(!sum.starts("(1+)"));
}

BOOST_AUTO_TEST_CASE(balanced_brackets_as_deep_as_the_limit) {
  language brackets(ebnf_of("root ::= \"(\" root \")\" | \"x\""));
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "x" + std::string(depth, ')');
  };
  for (std::size_t depth = 0; depth <= 63; ++depth)
    BOOST_TEST(brackets.accepts(nested(depth)), depth);
  BOOST_TEST(!brackets.accepts(nested(100)));
  // Where the depth ends, what is begun can still be ended.
  std::size_t open = 0;
  while (brackets.starts(std::string(open + 1, '(')))
    ++open;
  BOOST_TEST(brackets.accepts(nested(open)));
}

BOOST_AUTO_TEST_CASE(a_rule_that_ends_with_itself_takes_no_depth) {
  language list(ebnf_of("root ::= [a-z] rest\nrest ::= \",\" root | \".\""));
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "a,";
  BOOST_TEST(list.accepts(text + "b."));
}

BOOST_AUTO_TEST_CASE(literals_classes_and_quantifiers) {
  language grammar(ebnf_of(
      "root ::= \"a\\n\\\"\" [^x\\]] . | (\"é\"? \"\\u65e5\"){2,3} | \"\""));
  for (const char *text : {"a\n\"b日", "é日日", "日日日", ""})
    BOOST_TEST(grammar.accepts(text), text);
  for (const char *text : {"a\n\"xb", "a\n\"]b", "日", "é日"})
    BOOST_TEST(!grammar.accepts(text), text);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_refused_with_its_place) {
  struct refusal {
    const char *text, *message;
  };
  for (const auto &[grammar, message] : {
           refusal{"", "there is no rule 'root'"},
           {"main ::= \"a\"", "there is no rule 'root'"},
           {"root ::= other", "the rule 'other' is not defined"},
           {"root ::= \"a\"\nroot ::= \"b\"", "'root' is defined twice"},
           {"root = \"a\"", "::= is missing"},
           {"root ::= (\"a\"", "a group is not closed"},
           {"root ::= \"a", "a literal is not closed"},
           {"root ::= \"a\" )", "a rule is expected here"},
           {"root ::= *", "a name, a literal, a class or a group"},
           {"root ::= \"\\q\"", "this escape is not supported"},
           {"root ::= root \"a\" | \"b\"", "'root' is left-recursive"},
           {"root ::= x\nx ::= y? root\ny ::= \"y\"", "left-recursive"},
           {"root ::= \"(\" root \")\"", "matches no text"},
       }) {
    const auto text = error_text([&] { language g(ebnf_of(grammar)); });
    BOOST_TEST(contains(text, "invalid_argument: structured_outputs.grammar: "),
               text);
    BOOST_TEST(contains(text, message), grammar << ": " << text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
