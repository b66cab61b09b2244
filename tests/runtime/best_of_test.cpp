#include "runtime/generation/best_of.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

generation_event event_of(std::int32_t choice, std::vector<float> logprobs,
                          bool ends) {
  generation_event e;
  e.choice = choice;
  for (const float p : logprobs)
    e.tokens.push_back({choice, "x", p, false, {}, {}});
  if (ends)
    e.finish = finish_reason::length;
  return e;
}

} // namespace

BOOST_AUTO_TEST_SUITE(best_of)

BOOST_AUTO_TEST_CASE(tells_the_best_by_their_mean_when_all_have_ended) {
  runtime::best_of selection(3, 2);
  BOOST_TEST(selection.take(event_of(0, {-1, -1}, false)).empty());
  BOOST_TEST(selection.take(event_of(1, {-0.5f}, true)).empty());
  BOOST_TEST(selection.take(event_of(0, {-4}, true)).empty());
  const auto told = selection.take(event_of(2, {-1, -1, -1}, true));
  BOOST_REQUIRE(told.size() == 2u);
  BOOST_TEST(told[0].tokens.at(0).id == 1);
  BOOST_TEST(told[0].choice == 0);
  BOOST_TEST(!told[0].last());
  BOOST_TEST(told[1].tokens.size() == 3u);
  BOOST_TEST(told[1].choice == 1);
  BOOST_TEST(told[1].last());
}

BOOST_AUTO_TEST_CASE(among_equals_the_first_comes_first) {
  runtime::best_of selection(2, 1);
  selection.take(event_of(1, {-1}, true));
  const auto told = selection.take(event_of(0, {-1, -1}, true));
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told[0].tokens.size() == 2u);
  BOOST_TEST(told[0].last());
}

BOOST_AUTO_TEST_SUITE_END()
