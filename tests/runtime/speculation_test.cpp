// When guesses are made, and which.
#include "runtime/speculation/ngram_guesser.hpp"
#include "runtime/speculation/row_cost.hpp"
#include "runtime/speculation/speculation.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion::runtime;

namespace {

using ids = std::vector<std::int32_t>;

ids guesses_of(guesser &g, const ids &tokens, std::size_t most) {
  ids out;
  g.continue_after(tokens, most, out);
  return out;
}

/// Guesses one fixed token.
class stubborn_guesser final : public guesser {
public:
  void continue_after(std::span<const std::int32_t>, std::size_t most,
                      std::vector<std::int32_t> &out) override {
    out.insert(out.end(), most, 7);
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(speculation)

BOOST_AUTO_TEST_CASE(ngrams_go_on_as_they_did_before) {
  ngram_guesser g(2);
  BOOST_TEST(guesses_of(g, {1, 2}, 4).empty());
  BOOST_TEST(guesses_of(g, {1, 2, 3, 4, 5}, 4).empty());
  BOOST_TEST(guesses_of(g, {1, 2, 3, 4, 5, 1, 2}, 3) == (ids{3, 4, 5}),
             boost::test_tools::per_element());
  // The latest place counts, and past the end guesses repeat.
  BOOST_TEST(guesses_of(g, {1, 2, 3, 4, 5, 1, 2, 8, 1, 2}, 5) ==
                 (ids{8, 1, 2, 8, 1}),
             boost::test_tools::per_element());
  BOOST_TEST(guesses_of(g, {1, 2, 3, 4, 5, 1, 2, 8, 1, 2, 6, 6, 6}, 3) ==
                 (ids{6, 6, 6}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ngrams_need_all_their_tokens) {
  ngram_guesser g(3);
  BOOST_TEST(guesses_of(g, {1, 2, 3, 9, 2, 3}, 4).empty());
  BOOST_TEST(guesses_of(g, {1, 2, 3, 9, 2, 3, 9}, 2) == (ids{2, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(chances_follow_what_was_right_lately) {
  acceptance a;
  BOOST_TEST(a.chance() == 0.5);
  BOOST_TEST(!a.promising());
  a.note(4, 4);
  BOOST_TEST(a.promising());
  BOOST_TEST(a.worthwhile(100, 0) > 5);
  BOOST_TEST(a.worthwhile(2, 0) == 2);
  // Where a row costs most of a step, hardly any guess is worth one.
  BOOST_TEST(a.worthwhile(100, 0.7) == 1);
  BOOST_TEST(a.worthwhile(100, 0.95) == 0);
  for (int i = 0; i < 10; ++i)
    a.note(5, 0);
  BOOST_TEST(!a.promising());
}

BOOST_AUTO_TEST_CASE(what_follows_a_wrong_guess_is_not_held_against_it) {
  acceptance one, many;
  one.note(3, 2);
  many.note(30, 2);
  BOOST_TEST(one.chance() == many.chance());
}

BOOST_AUTO_TEST_CASE(rows_cost_what_steps_tell) {
  row_cost memory_bound, compute_bound;
  BOOST_TEST(memory_bound.share(1) < 0.1);
  for (std::int64_t rows = 1; rows < 40; ++rows) {
    memory_bound.note(rows, 100'000 + rows);
    compute_bound.note(rows, 10'000 * rows);
  }
  BOOST_TEST(memory_bound.share(8) < 0.01);
  BOOST_TEST(compute_bound.share(8) > 0.99);
  row_cost always_one;
  for (int i = 0; i < 40; ++i)
    always_one.note(1, 1000 + i % 3);
  BOOST_TEST(always_one.share(1) < 0.1);
}

BOOST_AUTO_TEST_CASE(drafting_begins_and_ends_by_itself) {
  ganglion::runtime::speculation s(std::make_unique<stubborn_guesser>(), 4, -2);
  ids tokens{1};
  const auto hear = [&](std::int32_t token) {
    tokens.push_back(token);
    s.note_token(tokens, 0.05);
  };
  hear(5);
  BOOST_TEST(!s.drafts()); // nothing is known of its guesses
  hear(7);
  BOOST_TEST(s.drafts());
  BOOST_TEST(s.draft(tokens, 3, 0.05).size() == 3u);
  for (int i = 0; i < 4 && s.drafts(); ++i)
    s.note_judged(4, 0, 0.05);
  BOOST_TEST(!s.drafts());
  for (int i = 0; i < 20; ++i)
    hear(7);
  BOOST_TEST(s.drafts());
  BOOST_TEST(s.counts().held == 0);
  BOOST_TEST(s.counts().judged >= 4);
  BOOST_TEST(s.draft(tokens, 0, 0.05).empty());
  BOOST_TEST(!s.drafts()); // no room: steps are planned ahead again
}

BOOST_AUTO_TEST_CASE(nothing_is_drafted_where_rows_cost_too_much) {
  ganglion::runtime::speculation s(std::make_unique<stubborn_guesser>(), 4, -2);
  ids tokens{1};
  for (int i = 0; i < 20; ++i) {
    tokens.push_back(7);
    s.note_token(tokens, 0.97);
    BOOST_TEST(!s.drafts());
  }
}

BOOST_AUTO_TEST_SUITE_END()
