#include "hlo/support/error.hpp"
#include "runtime/tokenizer/added_vocabulary.hpp"
#include "runtime/tokenizer/decoder.hpp"
#include "runtime/tokenizer/normalizer.hpp"
#include "runtime/tokenizer/post_processor.hpp"
#include "runtime/tokenizer/pre_tokenizer.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

using strings = std::vector<std::string>;
using ids = std::vector<std::int32_t>;

template <class Make>
auto from_text(const std::string &text, Make make) {
  const auto document = json::document::parse(text, "test");
  return make(document.root());
}

std::string normalized(const std::string &component, std::string text) {
  from_text(component, make_normalizer)->apply(text);
  return text;
}

strings words(const std::string &component, const std::string &text) {
  std::vector<pre_token> tokens{{text, true}};
  from_text(component, make_pre_tokenizer)->apply(tokens);
  strings out;
  for (const auto &token : tokens)
    out.push_back(token.text);
  return out;
}

std::string decoded(const std::string &component, const strings &tokens) {
  auto decoding = from_text(component, read_decoder);
  std::string streamed;
  for (const auto &token : tokens) {
    decoding.push(token);
    streamed += decoding.take();
  }
  decoding.finish();
  return streamed + decoding.take();
}

void check_words(const std::string &component, const std::string &text,
                 const strings &expected) {
  BOOST_TEST_CONTEXT(component << " on '" << text << "'")
  BOOST_TEST(words(component, text) == expected,
             boost::test_tools::per_element());
}

template <class Make>
void check_refused(const std::string &component, Make make,
                   const std::string &field) {
  try {
    from_text(component, make);
    BOOST_FAIL("no error for " << component);
  } catch (const error &e) {
    BOOST_TEST((e.code() == error_code::unsupported));
    BOOST_TEST(e.field() == field);
  }
}

added_token plain_token(const std::string &content) {
  added_token out;
  out.content = content;
  return out;
}

// The ids and texts that one added token cuts `text` into.
strings cut(const added_token &token, const std::string &text) {
  added_vocabulary added;
  added.add(token, vocabulary());
  added.prepare(nullptr);
  strings out;
  for (const auto &match : added.find(text, token.normalized)) {
    const auto [begin, end] = match.span;
    out.push_back((match.id < 0 ? "" : "#") + text.substr(begin, end - begin));
  }
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_components)

BOOST_AUTO_TEST_CASE(normalizers) {
  BOOST_TEST(normalized(R"({"type":"Prepend","prepend":"_"})", "a") == "_a");
  BOOST_TEST(normalized(R"({"type":"Prepend","prepend":"_"})", "") == "");
  BOOST_TEST(normalized(R"({"type":"Lowercase"})", "ÀB\u0130Σ") ==
             "àbi\u0307σ");
  BOOST_TEST(normalized(R"({"type":"NFD"})", "é") == "e\u0301");
  BOOST_TEST(normalized(R"({"type":"Sequence","normalizers":[
    {"type":"NFD"},{"type":"StripAccents"}]})",
                        "éà") == "ea");
  const std::string strip = R"({"type":"Strip","strip_left":)";
  BOOST_TEST(normalized(strip + R"(true,"strip_right":true})",
                        " \u3000a b\n") == "a b");
  BOOST_TEST(normalized(strip + R"(false,"strip_right":true})", " a ") == " a");
  BOOST_TEST(normalized(strip + R"(true,"strip_right":false})", " a ") == "a ");
  BOOST_TEST(normalized(strip + R"(true,"strip_right":false})", "  ") == "");
  BOOST_TEST(normalized(R"({"type":"Replace","pattern":{"Regex":" {2,}"},
    "content":"_"})",
                        "a  b c   ") == "a_b c_");
  BOOST_TEST(normalized(R"({"type":"Replace","pattern":{"String":"."},
    "content":"!"})",
                        "a.b") == "a!b");
  BOOST_TEST(normalized(R"({"type":"ByteLevel"})", "a é") == "aĠÃ©");
}

BOOST_AUTO_TEST_CASE(pre_tokenizers) {
  check_words(R"({"type":"Whitespace"})", "Hey man! é_1\n",
              {"Hey", "man", "!", "é_1"});
  check_words(R"({"type":"WhitespaceSplit"})", " a,b\tc\u3000", {"a,b", "c"});
  check_words(R"({"type":"Digits"})", "a12b3", {"a", "12", "b", "3"});
  check_words(R"({"type":"Digits","individual_digits":true})", "a12½",
              {"a", "1", "2", "½"});
  check_words(R"({"type":"Punctuation"})", "a,b+«c»",
              {"a", ",", "b", "+", "«", "c", "»"});
  check_words(R"({"type":"Punctuation","behavior":"Removed"})", "a,b",
              {"a", "b"});
  check_words(R"({"type":"Split","pattern":{"String":" "},
    "behavior":"MergedWithPrevious"})",
              "a b c", {"a ", "b ", "c"});
  check_words(R"({"type":"Split","pattern":{"Regex":"[a-z]+"},
    "behavior":"Removed","invert":true})",
              "ab 12 cd", {"ab", "cd"});
  check_words(R"({"type":"ByteLevel"})", "a b", {"Ġa", "Ġb"});
  check_words(R"({"type":"ByteLevel","add_prefix_space":false,
    "use_regex":false})",
              "a b", {"aĠb"});
}

BOOST_AUTO_TEST_CASE(metaspace) {
  const std::string head = R"({"type":"Metaspace","replacement":"▁")";
  check_words(head + "}", "a b", {"▁a", "▁b"});
  check_words(head + "}", " a", {"▁a"});
  check_words(head + R"(,"split":false})", "a b", {"▁a▁b"});
  check_words(head + R"(,"prepend_scheme":"never"})", "a b", {"a", "▁b"});
  check_words(head + R"(,"add_prefix_space":false})", "a b", {"a", "▁b"});
  // "first" looks at the start of the text only.
  check_words(R"({"type":"Sequence","pretokenizers":[
    {"type":"Split","pattern":{"String":"-"},"behavior":"Removed"},
    {"type":"Metaspace","replacement":"▁","prepend_scheme":"first"}]})",
              "a-b", {"▁a", "b"});
}

BOOST_AUTO_TEST_CASE(decoders) {
  BOOST_TEST(decoded(R"({"type":"ByteLevel"})", {"Ġa", "Ã", "©", "Ã", "日"}) ==
             " aé\uFFFD日");
  BOOST_TEST(decoded(R"({"type":"ByteFallback"})",
                     {"<0xC3>", "<0xA9>", "x", "<0xC3>", "<0x41>"}) ==
             "éx\uFFFD\uFFFD");
  const std::string meta = R"({"type":"Metaspace","replacement":"▁")";
  BOOST_TEST(decoded(meta + "}", {"▁a", "▁b", "c▁"}) == "a bc ");
  BOOST_TEST(decoded(meta + R"(,"prepend_scheme":"never"})", {"▁a"}) == " a");
  BOOST_TEST(decoded(R"({"type":"Strip","content":"_","start":1,"stop":2})",
                     {"__a___", "_", "b", "__c__d_"}) == "_a_b_c__d");
  // Fused, the ends are those of the whole text.
  BOOST_TEST(decoded(R"({"type":"Sequence","decoders":[{"type":"Fuse"},
    {"type":"Strip","content":"_","start":2,"stop":2}]})",
                     {"_", "_", "_a_", "_", "b_", "_", "_"}) == "_a__b_");
  // A pattern may reach over fused tokens.
  BOOST_TEST(decoded(R"({"type":"Sequence","decoders":[{"type":"Fuse"},
    {"type":"Replace","pattern":{"String":"ab"},"content":"X"}]})",
                     {"a", "b", "ca", "b"}) == "XcX");
  BOOST_TEST(decoded(R"({"type":"Replace","pattern":{"String":"ab"},
    "content":"X"})",
                     {"a", "b", "cab"}) == "abcX");
}

BOOST_AUTO_TEST_CASE(joining_decoder_puts_spaces) {
  auto decoding = make_joining_decoder();
  decoding.push("a");
  decoding.push("b");
  BOOST_TEST(decoding.take() == "a b");
}

BOOST_AUTO_TEST_CASE(post_processors) {
  const auto around = from_text(R"({"type":"Sequence","processors":[
    {"type":"ByteLevel"},
    {"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",1]},
    {"type":"TemplateProcessing","single":[
      {"SpecialToken":{"id":"A","type_id":0}},
      {"Sequence":{"id":"A","type_id":0}},
      {"SpecialToken":{"id":"B","type_id":0}}],
     "special_tokens":{"A":{"id":"A","ids":[7,8],"tokens":["x","y"]},
                       "B":{"id":"B","ids":[9],"tokens":["z"]}}}]})",
                                read_post_processor);
  BOOST_TEST(around.before == (ids{7, 8, 1}), boost::test_tools::per_element());
  BOOST_TEST(around.after == (ids{2, 9}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(added_tokens_take_what_their_flags_say) {
  auto token = plain_token("<m>");
  BOOST_TEST(cut(token, "a <m> b") == (strings{"a ", "#<m>", " b"}),
             boost::test_tools::per_element());
  token.lstrip = true;
  BOOST_TEST(cut(token, "a \t<m> b") == (strings{"a", "# \t<m>", " b"}),
             boost::test_tools::per_element());
  token.rstrip = true;
  BOOST_TEST(cut(token, "a <m> <m>b") == (strings{"a", "# <m> ", "#<m>", "b"}),
             boost::test_tools::per_element());
  auto word = plain_token("cat");
  word.single_word = true;
  BOOST_TEST(cut(word, "concat cat cats é-cat") ==
                 (strings{"concat ", "#cat", " cats é-", "#cat"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_longest_added_token_wins) {
  added_vocabulary added;
  for (const auto *content : {"ab", "abcd", "b", "bcx"})
    added.add(plain_token(content), vocabulary());
  added.prepare(nullptr);
  std::vector<std::int32_t> found;
  for (const auto &match : added.find("abcxabcd", false))
    found.push_back(match.id);
  BOOST_TEST(found == (ids{0, -1, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(normalized_tokens_are_looked_for_in_normal_form) {
  added_vocabulary added;
  auto token = plain_token("É");
  token.normalized = true;
  added.add(token, vocabulary());
  const auto form = from_text(R"({"type":"NFD"})", make_normalizer);
  added.prepare(form.get());
  BOOST_TEST(added.find("E\u0301", true).front().id == 0);
  BOOST_TEST(added.find("É", true).front().id == -1);
  BOOST_TEST(added.find("É", false).front().id == -1);
}

BOOST_AUTO_TEST_CASE(what_is_not_supported_is_refused_by_name) {
  check_refused(R"({"type":"Sequence","normalizers":[{"type":"NFC"},
    {"type":"BertNormalizer"}]})",
                make_normalizer, "normalizers[1].type");
  check_refused(R"({"type":"BertPreTokenizer"})", make_pre_tokenizer, "type");
  check_refused(R"({"type":"WordPiece"})", read_decoder, "type");
  check_refused(R"({"type":"Sequence","decoders":[{"type":"CTC"}]})",
                read_decoder, "decoders[0].type");
  check_refused(R"({"type":"Other"})", read_post_processor, "type");
  check_refused(R"({"type":"Split","pattern":{"String":"a"},
    "behavior":"Other"})",
                make_pre_tokenizer, "behavior");
}

BOOST_AUTO_TEST_SUITE_END()
