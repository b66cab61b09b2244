// The bridge between the engine's threads and the server's.
#include "apps/serving/event_channel.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <thread>

using namespace ganglion;
using channel = apps::event_channel;
using runtime::generation_event;

BOOST_AUTO_TEST_SUITE(event_channel)

BOOST_AUTO_TEST_CASE(events_cross_in_one_batch) {
  boost::asio::io_context context;
  std::vector<std::size_t> batches;
  const auto sink =
      std::make_shared<channel>(context.get_executor(), [&](auto events) {
        batches.push_back(events.size());
      });
  for (int i = 0; i < 100; ++i)
    BOOST_TEST(sink->push({}));
  context.run();
  BOOST_TEST(batches == std::vector<std::size_t>{100});
  context.restart();
  sink->push({});
  BOOST_TEST(context.run() == 1u); // one hand-over
  BOOST_TEST(batches.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_closed_channel_cancels_and_delivers_nothing) {
  boost::asio::io_context context;
  int received = 0;
  const auto sink = std::make_shared<channel>(context.get_executor(),
                                              [&](auto) { ++received; });
  sink->push({});
  sink->close();
  BOOST_TEST(!sink->push({}));
  context.run();
  BOOST_TEST(received == 0);
}

BOOST_AUTO_TEST_CASE(order_is_kept_between_threads) {
  boost::asio::io_context context;
  const auto work = boost::asio::make_work_guard(context);
  std::vector<std::int64_t> seen;
  constexpr std::int64_t count = 10'000;
  const auto sink = std::make_shared<channel>(
      context.get_executor(), [&](std::vector<generation_event> events) {
        for (const auto &e : events)
          seen.push_back(e.prompt_tokens);
        if (static_cast<std::int64_t>(seen.size()) == count)
          context.stop();
      });
  std::thread engine([&] {
    for (std::int64_t i = 0; i < count; ++i) {
      generation_event event;
      event.prompt_tokens = i;
      sink->push(std::move(event));
    }
  });
  context.run();
  engine.join();
  for (std::int64_t i = 0; i < count; ++i)
    BOOST_REQUIRE(seen[static_cast<std::size_t>(i)] == i);
}

BOOST_AUTO_TEST_SUITE_END()
