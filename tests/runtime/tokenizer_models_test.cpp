#include "hlo/support/error.hpp"
#include "runtime/tokenizer/bpe_model.hpp"
#include "runtime/tokenizer/unigram_model.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <random>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

using ids = std::vector<std::int32_t>;
using entries = std::vector<std::pair<std::string, std::int64_t>>;

ids encode(const token_model &model, const std::string &word) {
  const std::vector<pre_token> words{{word, true}};
  ids out;
  model.encode(words, out);
  return out;
}

bpe_model make_bpe(const std::vector<std::string> &tokens,
                   const std::vector<token_pair> &merges,
                   bpe_options options = {}) {
  entries vocab;
  for (const auto &token : tokens)
    vocab.emplace_back(token, static_cast<std::int64_t>(vocab.size()));
  return bpe_model(vocabulary(std::move(vocab), "test", "vocab"), merges,
                   std::move(options), "test");
}

// Merges the leftmost of the pairs with the lowest rank, looking at all pairs
// each time.
std::vector<std::string> slow_bpe(const std::string &word,
                                  const std::map<token_pair, int> &ranks) {
  std::vector<std::string> parts;
  for (const char c : word)
    parts.emplace_back(1, c);
  for (;;) {
    std::size_t best = 0;
    int best_rank = -1;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto found = ranks.find({parts[i], parts[i + 1]});
      if (found != ranks.end() &&
          (best_rank < 0 || found->second < best_rank)) {
        best = i;
        best_rank = found->second;
      }
    }
    if (best_rank < 0)
      return parts;
    parts[best] += parts[best + 1];
    parts.erase(parts.begin() + static_cast<long>(best) + 1);
  }
}

// A vocabulary of a, b, c and random merges of what is there.
struct random_bpe {
  std::vector<std::string> tokens{"a", "b", "c"};
  std::vector<token_pair> merges;
  std::map<token_pair, int> ranks;

  explicit random_bpe(std::mt19937 &random) {
    for (int i = 0; i < 40; ++i) {
      const token_pair pair{tokens[random() % tokens.size()],
                            tokens[random() % tokens.size()]};
      const auto merged = pair.first + pair.second;
      if (merged.size() > 8 || ranks.contains(pair))
        continue;
      ranks.emplace(pair, static_cast<int>(merges.size()));
      merges.push_back(pair);
      if (std::find(tokens.begin(), tokens.end(), merged) == tokens.end())
        tokens.push_back(merged);
    }
  }
};

unigram_model make_unigram(std::vector<scored_token> tokens,
                           std::optional<std::int64_t> unk,
                           bool byte_fallback = false) {
  return unigram_model(tokens, unk, byte_fallback, "test");
}

} // namespace

BOOST_AUTO_TEST_SUITE(tokenizer_models)

BOOST_AUTO_TEST_CASE(bpe_agrees_with_the_obvious_algorithm) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const random_bpe made(random);
    const auto model = make_bpe(made.tokens, made.merges);
    for (int i = 0; i < 20; ++i) {
      std::string word;
      for (auto n = 1 + random() % 40; n > 0; --n)
        word += "abc"[random() % 3];
      ids expected;
      for (const auto &part : slow_bpe(word, made.ranks))
        expected.push_back(model.tokens().find(part));
      BOOST_REQUIRE_MESSAGE(encode(model, word) == expected, word);
    }
  }
}

BOOST_AUTO_TEST_CASE(bpe_takes_long_words) {
  const auto model = make_bpe({"a", "aa", "aaaa"}, {{"a", "a"}, {"aa", "aa"}});
  const auto out = encode(model, std::string(1000001, 'a'));
  BOOST_TEST(out.size() == 250001);
  BOOST_TEST(out.front() == 2);
  BOOST_TEST(out.back() == 0);
}

BOOST_AUTO_TEST_CASE(bpe_unknown_characters) {
  bpe_options options;
  BOOST_TEST(encode(make_bpe({"?", "a"}, {}, options), "zaz") == ids{1},
             boost::test_tools::per_element());
  options.unk_token = "?";
  BOOST_TEST(encode(make_bpe({"?", "a"}, {}, options), "zzaz") ==
                 (ids{0, 0, 1, 0}),
             boost::test_tools::per_element());
  options.fuse_unk = true;
  BOOST_TEST(encode(make_bpe({"?", "a"}, {}, options), "zzaz") ==
                 (ids{0, 1, 0}),
             boost::test_tools::per_element());
  options.byte_fallback = true;
  BOOST_TEST(encode(make_bpe({"?", "a", "<0xC3>", "<0xA9>"}, {}, options),
                    "éaz") == (ids{2, 3, 1, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bpe_whole_words_prefix_and_suffix) {
  bpe_options options;
  options.ignore_merges = true;
  BOOST_TEST(encode(make_bpe({"a", "b", "ab"}, {}, options), "ab") == ids{2},
             boost::test_tools::per_element());
  options = {};
  options.continuing_subword_prefix = "##";
  options.end_of_word_suffix = "$";
  BOOST_TEST(
      encode(make_bpe({"a", "##b", "##c$", "ab"}, {{"a", "##b"}}, options),
             "abc") == (ids{3, 2}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_later_merge_of_the_same_pair_wins) {
  // With rank 2 the pair (a, b) comes after (b, c).
  const auto model = make_bpe({"a", "b", "c", "ab", "bc"},
                              {{"a", "b"}, {"b", "c"}, {"a", "b"}});
  BOOST_TEST(encode(model, "abc") == (ids{0, 4}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unigram_takes_the_likeliest_way) {
  const auto model = make_unigram(
      {{"?", 0}, {"a", -1}, {"b", -1}, {"ab", -1.5}, {"abc", -9}, {"c", -2}},
      0);
  BOOST_TEST(encode(model, "abc") == (ids{3, 5}),
             boost::test_tools::per_element());
  BOOST_TEST(encode(model, "zzab") == (ids{0, 3}), // unknowns are fused
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unigram_bytes_and_no_unknown) {
  const auto bytes =
      make_unigram({{"?", 0}, {"<0xC3>", 0}, {"<0xA9>", 0}}, 0, true);
  BOOST_TEST(encode(bytes, "é") == (ids{1, 2}),
             boost::test_tools::per_element());
  const auto none = make_unigram({{"a", -1}}, std::nullopt);
  BOOST_TEST(encode(none, "a") == ids{0}, boost::test_tools::per_element());
  BOOST_CHECK_THROW(encode(none, "b"), error);
  BOOST_CHECK_THROW(make_unigram({{"a", -1}}, 1), error);
}

BOOST_AUTO_TEST_CASE(vocabularies_that_contradict_themselves) {
  const auto make = [](entries tokens) {
    return vocabulary(std::move(tokens), "test", "vocab");
  };
  BOOST_CHECK_THROW(make({{"a", 0}, {"a", 1}}), error);
  BOOST_CHECK_THROW(make({{"a", 0}, {"b", 0}}), error);
  BOOST_CHECK_THROW(make({{"a", -1}}), error);
  BOOST_CHECK_THROW(make({{"a", vocabulary::id_limit}}), error);
  const auto holes = make({{"a", 0}, {"b", 2}, {"", 3}});
  BOOST_TEST(!holes.token(1));
  BOOST_TEST(holes.token(3).value() == "");
  BOOST_TEST(!holes.token(4));
  BOOST_TEST(holes.size() == 3);
  BOOST_TEST(holes.id_end() == 4);
}

BOOST_AUTO_TEST_SUITE_END()
