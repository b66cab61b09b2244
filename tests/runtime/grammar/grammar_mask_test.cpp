#include "tests/runtime/grammar/grammar_text.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

using namespace ganglion::testing;
namespace grammar = ganglion::runtime::grammar;

namespace {

const std::vector<std::string> vocabulary{
    "a", "b", "c", "ab", "abc", "ba", "ca", "cc", "", "a", "x", "bb",
};

std::shared_ptr<grammar::token_grammar>
token_grammar_of(const output_form &form, std::vector<std::string> tokens,
                 const grammar::limits &bounds = {}) {
  return std::make_shared<grammar::token_grammar>(
      grammar::compile(form, bounds),
      std::make_shared<const grammar::token_trie>(std::move(tokens)));
}

struct answer {
  std::vector<bool> allowed;
  bool accepted = false;
  bool operator==(const answer &) const = default;
};

answer asked(grammar::cursor &at, const grammar::token_grammar &of) {
  std::vector<std::uint64_t> mask(of.words());
  answer out;
  BOOST_REQUIRE(at.allowed(mask, out.accepted) == grammar::match_status::ok);
  for (std::size_t i = 0; i < of.tokens().vocabulary(); ++i)
    out.allowed.push_back(mask[i / 64] >> (i % 64) & 1);
  return out;
}

/// Goes through all texts of up to `left` tokens, allowed or not.
template <class Look>
void each_prefix(std::vector<std::int32_t> &tokens, std::size_t left,
                 const Look &look) {
  look(tokens);
  if (left == 0)
    return;
  for (std::size_t t = 0; t < vocabulary.size(); ++t) {
    tokens.push_back(static_cast<std::int32_t>(t));
    each_prefix(tokens, left - 1, look);
    tokens.pop_back();
  }
}

std::string text_of(std::span<const std::int32_t> tokens) {
  std::string out;
  for (const auto t : tokens)
    out += vocabulary[static_cast<std::size_t>(t)].empty()
               ? "?" // a token without text breaks any
               : vocabulary[static_cast<std::size_t>(t)];
  return out;
}

const char *const patterns[] = {"(ab|c)*a?", "a(b|c){1,3}", "abc|abca|cc",
                                "(a|ab)(c|bca)*", "c*(ba)+"};

} // namespace

BOOST_AUTO_TEST_SUITE(grammar_mask)

BOOST_AUTO_TEST_CASE(masks_are_what_brute_force_finds) {
  for (const char *pattern : patterns) {
    const auto rules = token_grammar_of(regex_of(pattern), vocabulary);
    language oracle(regex_of(pattern));
    std::vector<std::int32_t> tokens;
    each_prefix(tokens, 3, [&](const std::vector<std::int32_t> &prefix) {
      grammar::cursor at;
      at.begin(rules, prefix, 8);
      const auto got = asked(at, *rules);
      const auto text = text_of(prefix);
      BOOST_REQUIRE(got.accepted == oracle.accepts(text));
      for (std::size_t t = 0; t < vocabulary.size(); ++t)
        if (got.allowed[t] !=
            (!vocabulary[t].empty() && oracle.starts(text + vocabulary[t])))
          BOOST_ERROR(pattern << " '" << text << "' + " << vocabulary[t]);
    });
  }
}

BOOST_AUTO_TEST_CASE(json_masks_are_what_brute_force_finds) {
  const auto tokens = small_vocabulary();
  const output_form form{output_kind::json_object, {}, {}};
  const auto rules = token_grammar_of(form, tokens);
  language oracle(form);
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    grammar::cursor at;
    at.begin(rules, {}, 100);
    std::string text;
    for (int n = 0; n < 60; ++n) {
      const auto got = asked(at, *rules);
      BOOST_REQUIRE(got.accepted == oracle.accepts(text));
      std::vector<std::int32_t> allowed;
      for (std::size_t t = 0; t < tokens.size(); ++t) {
        if (got.allowed[t] != oracle.starts(text + tokens[t]))
          BOOST_ERROR("'" << text << "' + " << tokens[t]);
        if (got.allowed[t])
          allowed.push_back(static_cast<std::int32_t>(t));
      }
      if (allowed.empty())
        break;
      const auto token = allowed[random() % allowed.size()];
      at.append(token);
      text += tokens[static_cast<std::size_t>(token)];
    }
  }
}

BOOST_AUTO_TEST_CASE(a_state_rolled_back_is_the_state_before) {
  const auto rules =
      token_grammar_of({output_kind::json_object, {}, {}}, small_vocabulary());
  grammar::cursor at;
  at.begin(rules, {}, 100);
  std::mt19937 random(9);
  std::vector<std::int32_t> tokens;
  for (int n = 0; n < 300; ++n) {
    if (!tokens.empty() && random() % 3 == 0) {
      const std::size_t back = 1 + random() % tokens.size() % 5;
      at.roll_back(back);
      tokens.resize(tokens.size() - back);
      continue;
    }
    const auto now = asked(at, *rules);
    grammar::cursor fresh;
    fresh.begin(rules, tokens, 100);
    BOOST_REQUIRE(now == asked(fresh, *rules));
    // Now and then a token that is not allowed: nothing may follow it.
    const auto token =
        static_cast<std::int32_t>(random() % rules->tokens().vocabulary());
    at.append(token);
    tokens.push_back(token);
    if (!now.allowed[static_cast<std::size_t>(token)]) {
      BOOST_REQUIRE(std::ranges::count(asked(at, *rules).allowed, true) == 0);
      at.roll_back(1);
      tokens.pop_back();
      BOOST_REQUIRE(asked(at, *rules) == now);
    }
  }
}

BOOST_AUTO_TEST_CASE(small_tables_are_emptied_and_give_the_same_masks) {
  const auto form = schema_of(
      R"({"type":"array","items":{"type":"array","items":{"type":"string",
          "maxLength":3},"maxItems":9},"maxItems":30})");
  const auto wide = token_grammar_of(form, small_vocabulary());
  grammar::limits few;
  few.states = 200;
  const auto narrow = token_grammar_of(form, small_vocabulary(), few);
  std::mt19937 random(3);
  grammar::cursor a, b;
  a.begin(wide, {}, 500);
  b.begin(narrow, {}, 500);
  for (int n = 0; n < 400; ++n) {
    const auto expected = asked(a, *wide);
    BOOST_REQUIRE(asked(b, *narrow) == expected);
    std::vector<std::int32_t> allowed;
    for (std::size_t t = 0; t < expected.allowed.size(); ++t)
      if (expected.allowed[t])
        allowed.push_back(static_cast<std::int32_t>(t));
    if (allowed.empty())
      break;
    const auto token = allowed[random() % allowed.size()];
    a.append(token);
    b.append(token);
  }
}

BOOST_AUTO_TEST_CASE(threads_that_share_a_grammar_get_the_same_masks) {
  const auto form = schema_of(R"({"type":"object"})");
  const auto shared = token_grammar_of(form, small_vocabulary());
  const auto follow = [&](const std::shared_ptr<grammar::token_grammar> &rules,
                          unsigned seed) {
    std::mt19937 random(seed);
    std::string out;
    for (int round = 0; round < 20; ++round)
      out += random_text(rules, random, 400) + "\n";
    return out;
  };
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back([&, i] { texts[i] = follow(shared, i); });
  for (auto &t : threads)
    t.join();
  for (unsigned i = 0; i < 4; ++i)
    BOOST_TEST(texts[i] ==
               follow(token_grammar_of(form, small_vocabulary()), i));
}

BOOST_AUTO_TEST_CASE(special_tokens_are_never_text) {
  const std::string special = {grammar::special_mark, '<', 's', '>'};
  const auto rules = token_grammar_of(regex_of(".*"), {"<s>", special});
  grammar::cursor at;
  at.begin(rules, {}, 1);
  BOOST_TEST((asked(at, *rules).allowed == std::vector<bool>{true, false}));
}

BOOST_AUTO_TEST_SUITE_END()
