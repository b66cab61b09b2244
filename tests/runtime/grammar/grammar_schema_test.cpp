#include "tests/runtime/error_text.hpp"
#include "tests/runtime/grammar/grammar_text.hpp"
#include "tests/runtime/grammar/schema_validator.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion::testing;
namespace json = ganglion::json;
namespace grammar = ganglion::runtime::grammar;

namespace {

/// A schema, texts that it must accept and texts that it must not.
struct schema_case {
  const char *schema;
  std::vector<const char *> good, bad;
};

const std::vector<schema_case> cases{
    {R"({})", {"1", "null", R"({"a":[true]})"}, {"", "nul", "[1,]"}},
    {R"(true)", {"\"x\"", "[]"}, {"x"}},
    {R"({"type":"null"})", {"null"}, {"0"}},
    {R"({"type":"boolean"})", {"true", "false"}, {"1"}},
    {R"({"type":"integer"})", {"0", "-17", "123456"}, {"01", "1.0", "+1"}},
    {R"({"type":"number"})",
     {"0", "-1.5", "1e9", "2.5E-07"},
     {".5", "1.", "1e", "--1"}},
    {R"({"type":"string"})",
     {R"("")", R"("é\n\u00e9\ud83d\ude00")"},
     {R"("\x")", R"("\ud800")", "\"\n\"", "\"", "\"\xFF\""}},
    {R"({"type":["string","null"]})", {"null", R"("a")"}, {"1"}},
    {R"({"enum":["a",1,null,{"b":[2]}]})",
     {R"("a")", "1", "null", R"({"b":[2]})"},
     {R"("b")", "2"}},
    {R"({"enum":["a",1],"type":"string"})", {R"("a")"}, {"1"}},
    {R"({"const":"x\ny"})", {R"("x\ny")"}, {R"("x")"}},
    {R"({"const":null})", {"null"}, {"1"}},
    {R"({"type":"string","minLength":2,"maxLength":4})",
     {R"("ab")", R"("日本語é")", R"("\n\"")"},
     {R"("a")", R"("abcde")"}},
    {R"({"type":"string","minLength":1})", {R"("a")"}, {R"("")"}},
    {R"({"type":"string","pattern":"^[a-c]+\\d?$"})",
     {R"("abc1")", R"("a")"},
     {R"("d")", R"("1")", R"("")"}},
    {R"({"type":"string","pattern":"b[\"\\\\]"})",
     {R"("ab\"c")", R"("b\\")"},
     {R"("ab")", R"("b")"}},
    {R"({"type":"string","format":"date"})",
     {R"("2024-02-28")"},
     {R"("2024-13-01")", R"("24-01-01")"}},
    {R"({"type":"string","format":"date-time"})",
     {R"("2024-02-28T23:59:59Z")", R"("2024-02-28T00:00:00.25+01:00")"},
     {R"("2024-02-28")"}},
    {R"({"type":"string","format":"uuid"})",
     {R"("123e4567-e89b-12d3-a456-426614174000")"},
     {R"("123e4567")"}},
    {R"({"type":"string","format":"ipv4"})",
     {R"("192.168.0.255")"},
     {R"("192.168.0.256")", R"("1.2.3")"}},
    {R"({"type":"string","format":"email"})",
     {R"("a.b@example.org")"},
     {R"("a@b")", R"("@b.c")"}},
    {R"({"type":"integer","minimum":3,"maximum":1205})",
     {"3", "9", "10", "999", "1000", "1205"},
     {"2", "1206", "-3", "9999", "03"}},
    {R"({"type":"integer","minimum":-120,"exclusiveMaximum":7})",
     {"-120", "-99", "-1", "0", "6"},
     {"-121", "7", "-1000"}},
    {R"({"type":"integer","exclusiveMinimum":-5})",
     {"-4", "0", "123456789012345678"},
     {"-5", "-10"}},
    {R"({"type":"integer","maximum":-8})", {"-8", "-10"}, {"-7", "0", "8"}},
    {R"({"type":"array"})", {"[]", R"([1,"a",[null]])"}, {"[1 2]", "[,]"}},
    {R"({"type":"array","items":{"type":"integer"}})",
     {"[]", "[1]", "[1, 2]", "[\n  1,\n  2\n]"},
     {"[true]", "[1,]"}},
    {R"({"type":"array","items":{"enum":[1]},"minItems":2,"maxItems":3})",
     {"[1,1]", "[1,1,1]"},
     {"[]", "[1]", "[1,1,1,1]"}},
    {R"({"type":"array","maxItems":0})", {"[]"}, {"[1]"}},
    {R"({"prefixItems":[{"const":1},{"const":2}],"items":false})",
     {"[]", "[1]", "[1,2]"},
     {"[2]", "[1,2,3]"}},
    {R"({"prefixItems":[{"const":1},{"const":2}],"items":{"const":3},
         "minItems":1,"maxItems":4})",
     {"[1]", "[1,2]", "[1,2,3,3]"},
     {"[]", "[1,3]", "[1,2,3,3,3]"}},
    {R"({"prefixItems":[{"const":1},{"const":2}],"items":{"const":3},
         "minItems":3})",
     {"[1,2,3]", "[1,2,3,3,3,3]"},
     {"[1,2]", "[1]"}},
    {R"({"type":"object"})", {"{}", R"({"a":1,"b":{}})"}, {"[]", "{a:1}"}},
    {R"({"type":"object","properties":{"a":{"type":"integer"},
         "b":{"type":"string"}},"required":["a","b"]})",
     {R"({"a":1,"b":""})", "{\n  \"a\": 1,\n  \"b\": \"x\"\n}"},
     {R"({"a":1})", R"({"b":"","a":1})", R"({"a":1,"b":"","c":1})"}},
    {R"({"properties":{"a":{"const":1},"b":{"const":2},"c":{"const":3}}})",
     {"{}", R"({"a":1})", R"({"b":2})", R"({"c":3})", R"({"a":1,"c":3})",
      R"({"a":1,"b":2,"c":3})"},
     {R"({"a":2})", R"({"c":3,"a":1})", R"({"a":1,})", "{,}"}},
    {R"({"properties":{"a":{"const":1},"b":{"const":2},"c":{"const":3}},
         "required":["b"],"additionalProperties":false})",
     {R"({"b":2})", R"({"a":1,"b":2})", R"({"b":2,"c":3})"},
     {"{}", R"({"a":1})", R"({"a":1,"c":3})"}},
    {R"({"properties":{"ab":{"const":1},"a":{"const":2}},
         "additionalProperties":{"type":"boolean"}})",
     {"{}", R"({"ab":1,"a":2})", R"({"x":true})", R"({"ab":1,"abc":false})",
      R"({"":true})", R"({"b":true,"ac":true})"},
     {R"({"x":1})", R"({"ab":true})", R"({"a":true})", R"({"\u0061":true})"}},
    {R"({"additionalProperties":{"type":"integer"}})",
     {"{}", R"({"k":1})"},
     {R"({"k":"1"})"}},
    {R"({"required":["k"],"additionalProperties":{"type":"integer"}})",
     {R"({"k":1})", R"({"k":1,"l":2})"},
     {"{}", R"({"k":true})"}},
    {R"({"type":"object","additionalProperties":false})", {"{}"}, {"[]"}},
    {R"({"anyOf":[{"type":"integer"},{"const":"x"}]})",
     {"3", R"("x")"},
     {R"("y")"}},
    {R"({"oneOf":[{"type":"integer"},{"type":"string"},{"const":null}]})",
     {"3", R"("y")", "null"},
     {"true"}},
    {R"({"oneOf":[
         {"type":"object","properties":{"k":{"const":"a"},"x":{"const":1}},
          "required":["k","x"]},
         {"type":"object","properties":{"k":{"enum":["b","c"]}},
          "required":["k"]}]})",
     {R"({"k":"a","x":1})", R"({"k":"b"})"},
     {R"({"k":"a"})", R"({"k":"b","x":1})"}},
    {R"({"allOf":[{"type":"integer","minimum":4,"maximum":5}]})",
     {"4", "5"},
     {"6"}},
    {R"({"allOf":[{"$ref":"#/$defs/p"},{"properties":{"b":{"const":2}},
         "required":["b"]}],
         "$defs":{"p":{"type":"object","properties":{"a":{"const":1}}}}})",
     {R"({"a":1,"b":2})", R"({"b":2})"},
     {R"({"a":1})"}},
    {R"({"$ref":"#/definitions/a~1b%20c",
         "definitions":{"a/b c":{"const":1}}})",
     {"1"},
     {"2"}},
    {R"({"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object",
         "properties":{"v":{"type":"integer"},
         "kids":{"type":"array","items":{"$ref":"#/$defs/tree"},
         "maxItems":2}},"required":["v"]}}})",
     {R"({"v":1})", R"({"v":1,"kids":[{"v":2,"kids":[]},{"v":3}]})"},
     {R"({"kids":[]})", R"({"v":1,"kids":[{"v":1},{"v":1},{"v":1}]})"}},
    {R"({"title":"T","description":"d","default":1,"examples":[1],
         "type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},
         {"type":"null"}],"default":null}},"required":["next"]})",
     {R"({"next":null})", R"({"next":{"next":null}})"},
     {R"({"next":1})"}},
};

struct refusal {
  const char *schema, *message;
};

} // namespace

BOOST_AUTO_TEST_SUITE(grammar_schema)

BOOST_AUTO_TEST_CASE(accepts_what_the_schema_accepts) {
  for (const auto &c : cases) {
    language texts(schema_of(c.schema));
    for (const char *text : c.good)
      BOOST_TEST(texts.accepts(text), c.schema << " on " << text);
    for (const char *text : c.bad)
      BOOST_TEST(!texts.accepts(text), c.schema << " on " << text);
  }
}

BOOST_AUTO_TEST_CASE(random_choices_make_valid_texts) {
  const auto trie =
      std::make_shared<const grammar::token_trie>(small_vocabulary());
  std::mt19937 random(11);
  for (const auto &c : cases) {
    const auto rules = std::make_shared<grammar::token_grammar>(
        grammar::compile(schema_of(c.schema)), trie);
    const auto schema = json::document::parse(c.schema, "schema");
    const schema_validator validator(schema.root());
    for (int round = 0; round < 40; ++round) {
      const auto text = random_text(rules, random);
      BOOST_TEST_REQUIRE(!text.empty(), c.schema << " did not end");
      const auto document = json::document::parse(text, "text");
      if (!validator.valid(document.root()))
        BOOST_ERROR(c.schema << " made " << text);
    }
  }
}

BOOST_AUTO_TEST_CASE(any_object_is_what_the_reader_calls_one) {
  language objects({output_kind::json_object, {}, {}});
  std::size_t accepted = 0;
  std::string text;
  const std::string letters = "{}[]\":,1";
  // All texts of up to 6 letters after a brace, shortest first.
  for (std::size_t length = 1; length <= 6; ++length) {
    std::vector<std::size_t> digits(length);
    for (bool more = true; more;) {
      text = "{";
      for (const std::size_t d : digits)
        text += letters[d];
      bool expected = true;
      try {
        json::document::parse(text, "");
      } catch (const ganglion::error &) {
        expected = false;
      }
      accepted += expected;
      if (objects.accepts(text) != expected)
        BOOST_ERROR(text);
      more = false;
      for (std::size_t i = 0; i < length && !more; ++i) {
        more = ++digits[i] < letters.size();
        if (!more)
          digits[i] = 0;
      }
    }
  }
  BOOST_TEST(accepted > 10u);
  BOOST_TEST(!objects.accepts("[]"));
  BOOST_TEST(!objects.accepts("1"));
}

BOOST_AUTO_TEST_CASE(what_is_not_supported_is_refused_by_its_path) {
  const refusal refusals[] = {
      {R"({"type":"strin"})", "invalid_argument: structured_outputs.json.type"},
      {R"({"properties":{"a":{"multipleOf":2}}})",
       "unsupported: structured_outputs.json.properties.a.multipleOf"},
      {R"({"not":{}})", "unsupported: structured_outputs.json.not"},
      {R"({"if":{}})", "unsupported: structured_outputs.json.if"},
      {R"({"patternProperties":{}})",
       "unsupported: structured_outputs.json.patternProperties"},
      {R"({"items":{"uniqueItems":true}})",
       "unsupported: structured_outputs.json.items.uniqueItems"},
      {R"({"type":"number","minimum":1})",
       "unsupported: structured_outputs.json.minimum"},
      {R"({"type":"string","format":"uri"})",
       "unsupported: structured_outputs.json.format"},
      {R"~({"type":"string","pattern":"(?=a)"})~",
       "invalid_argument: structured_outputs.json.pattern"},
      {R"({"type":"string","pattern":"a","maxLength":3})",
       "unsupported: structured_outputs.json.pattern"},
      {R"({"type":"string","minLength":4,"maxLength":3})",
       "invalid_argument: structured_outputs.json: no string"},
      {R"({"type":"array","minItems":-1})",
       "invalid_argument: structured_outputs.json.minItems"},
      {R"({"type":"integer","minimum":4,"maximum":3})",
       "invalid_argument: structured_outputs.json.maximum"},
      {R"({"enum":[1],"type":"string"})",
       "invalid_argument: structured_outputs.json: no value"},
      {R"({"enum":[]})", "invalid_argument: structured_outputs.json: no value"},
      {R"({"enum":[1],"minimum":0})",
       "unsupported: structured_outputs.json.minimum"},
      {R"({"anyOf":[]})", "invalid_argument: structured_outputs.json.anyOf"},
      {R"({"anyOf":[{}],"type":"object"})",
       "unsupported: structured_outputs.json.type"},
      {R"({"oneOf":[{"type":"number"},{"type":"integer"}]})",
       "unsupported: structured_outputs.json.oneOf[1]"},
      {R"({"allOf":[{"type":"string"},{"minLength":1}]})", "unsupported: "},
      {R"({"$ref":"other.json"})", "unsupported: structured_outputs.json.$ref"},
      {R"({"$ref":"#/nowhere"})",
       "invalid_argument: structured_outputs.json.$ref"},
      {R"({"$ref":"#"})", "left-recursive"},
      {R"({"required":["a"],"additionalProperties":false})",
       "invalid_argument: structured_outputs.json.required[0]"},
      {R"({"properties":{"a":{"$ref":"#"}},"required":["a"]})",
       "matches no text"},
      {R"({"properties":{"a":false}})",
       "invalid_argument: structured_outputs.json.properties.a"},
      {R"([])", "invalid_argument: structured_outputs.json"},
      {R"({"type":)", "invalid_argument: structured_outputs.json: not valid"},
  };
  for (const auto &[schema, message] : refusals) {
    const auto text = error_text([&] { language g(schema_of(schema)); });
    BOOST_TEST(contains(text, message), schema << ": " << text);
    BOOST_TEST(contains(text, "structured_outputs.json"), text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
