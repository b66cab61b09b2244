#include "actors/request_timer.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::actors;
using namespace std::chrono_literals;

namespace {

constexpr time_point start{100s};

sequence_progress token(duration after, std::int32_t choice = 0) {
  sequence_progress p;
  p.choice = choice;
  p.token.emplace();
  p.queued = 2ms;
  p.at = start + after;
  return p;
}

} // namespace

BOOST_AUTO_TEST_SUITE(request_timer)

BOOST_AUTO_TEST_CASE(tells_where_the_time_went) {
  engine_metrics metrics;
  actors::request_timer timer(start, metrics);
  BOOST_TEST((timer.timing(start + 1ms).first_token == 0ms));
  timer.note(token(10ms));
  timer.note(token(15ms));
  timer.note(token(25ms));
  const auto timing = timer.timing(start + 26ms);
  BOOST_TEST((timing.queued == 2ms));
  BOOST_TEST((timing.first_token == 10ms));
  BOOST_TEST((timing.total == 26ms));
  timer.note_end(start + 26ms);
  BOOST_TEST(metrics.queue_time.read().count() == 1u);
  BOOST_TEST(metrics.first_token.read().sum == .010,
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(metrics.token_gap.read().count() == 2u);
  BOOST_TEST(metrics.token_gap.read().sum == .015,
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(metrics.whole_time.read().sum == .026,
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(choices_have_gaps_of_their_own) {
  engine_metrics metrics;
  actors::request_timer timer(start, metrics);
  timer.note(token(10ms, 0));
  timer.note(token(12ms, 1));
  timer.note(token(20ms, 0));
  timer.note(token(23ms, 1));
  BOOST_TEST(metrics.first_token.read().count() == 1u);
  BOOST_TEST(metrics.token_gap.read().count() == 2u);
  BOOST_TEST(metrics.token_gap.read().sum == .021,
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(an_end_without_tokens_has_waited_too) {
  engine_metrics metrics;
  actors::request_timer timer(start, metrics);
  sequence_progress end;
  end.finish = finish_reason::length;
  end.queued = 5ms;
  timer.note(end);
  BOOST_TEST(metrics.queue_time.read().count() == 1u);
  BOOST_TEST(metrics.first_token.read().count() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
