#include "tests/runtime/error_text.hpp"
#include "tests/runtime/grammar/grammar_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion::testing;
using ganglion::runtime::tool_syntax;

namespace {

output_form calls_in(tool_syntax syntax, bool several) {
  output_form out{output_kind::tool_calls};
  out.tools = {{"f", R"({"type":"object","properties":{"a":{"type":"integer"}},
                         "required":["a"]})"},
               {"g", ""}};
  out.syntax = syntax;
  out.several = several;
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(grammar_tools)

BOOST_AUTO_TEST_CASE(calls_are_written_as_the_template_has_them) {
  language tagged(calls_in(tool_syntax::tagged, true));
  const std::string f = R"({"name": "f", "arguments": {"a": 12}})";
  const std::string g = R"({"name": "g", "arguments": {"x": [null]}})";
  const auto tag = [](const std::string &call) {
    return "<tool_call>\n" + call + "\n</tool_call>";
  };
  BOOST_TEST(tagged.accepts(tag(f)));
  BOOST_TEST(tagged.accepts(tag(g) + "\n" + tag(f)));
  BOOST_TEST(!tagged.accepts(f));
  BOOST_TEST(!tagged.accepts(""));
  BOOST_TEST(!tagged.accepts(tag(R"({"name": "h", "arguments": {}})")));
  BOOST_TEST(!tagged.accepts(tag(R"({"name": "f", "arguments": {}})")));
  // The marks may be special tokens.
  BOOST_TEST(tagged.accepts("\xFF<tool_call>\n" + f + "\n\xFF</tool_call>"));
  language one(calls_in(tool_syntax::tagged, false));
  BOOST_TEST(one.accepts(tag(f)));
  BOOST_TEST(!one.accepts(tag(f) + "\n" + tag(f)));

  language listed(calls_in(tool_syntax::listed, true));
  BOOST_TEST(listed.accepts("[TOOL_CALLS] [" + f + ", " + g + "]"));
  BOOST_TEST(listed.accepts("\xFF[TOOL_CALLS][" + f + "]"));
  BOOST_TEST(!listed.accepts("[TOOL_CALLS] []"));

  language bare(calls_in(tool_syntax::bare, true));
  BOOST_TEST(bare.accepts(R"({"name": "f", "parameters": {"a": 1}})"));
  BOOST_TEST(!bare.accepts(f));
}

BOOST_AUTO_TEST_CASE(schemas_of_tools_are_refused_by_their_path) {
  auto form = calls_in(tool_syntax::tagged, true);
  form.tools[1].parameters = R"({"properties":{"a":{"not":{}}}})";
  const auto text = error_text([&] { language l(form); });
  BOOST_TEST(contains(text, "unsupported: tools[1].function.parameters."
                            "properties.a.not: "),
             text);
}

BOOST_AUTO_TEST_SUITE_END()
