// Several choices of one request: each as if it were alone with its own random
// numbers, however they are scheduled.
#include "tests/actors/engine_fixture.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <map>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// Collects the choices of a request apart.
class choice_collector final : public event_sink {
public:
  bool push(generation_event event) override {
    const std::lock_guard lock(mutex_);
    auto &mine = choices[event.choice];
    for (const auto &t : event.tokens) {
      mine.ids.push_back(t.id);
      mine.text += t.text;
    }
    mine.text += event.text;
    mine.finish = event.finish;
    last = event;
    ended = event.last();
    changed_.notify_all();
    return cancel_after == 0 || mine.ids.size() < cancel_after;
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended; });
  }

  struct choice {
    std::vector<std::int32_t> ids;
    std::string text;
    finish_reason finish = finish_reason::none;
  };
  std::map<std::int32_t, choice> choices;
  generation_event last;
  std::size_t cancel_after = 0;
  bool ended = false;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

std::map<std::int32_t, choice_collector::choice>
run_choices(engine &e, generation_request request) {
  const auto sink = std::make_shared<choice_collector>();
  e.submit(std::move(request), std::static_pointer_cast<event_sink>(sink));
  sink->wait();
  BOOST_TEST(!sink->last.failed);
  return sink->choices;
}

generation_request sampled(std::int32_t n) {
  auto r = prompt_of("Once upon a time, there was a little girl who liked to "
                     "play in the garden with her dog and her ball. She",
                     30);
  r.sampling.do_sample = true;
  r.seed = 5;
  r.n = n;
  return r;
}

} // namespace

BOOST_AUTO_TEST_SUITE(choices)

BOOST_DATA_TEST_CASE(are_the_same_however_many_there_are,
                     boost::unit_test::data::make({1, 2}), degree) {
  auto config = story_config(degree);
  config.scheduling.max_rolling_batch_size = 3;
  ganglion::engine e(config);
  e.wait_until_ready();
  const auto five = run_choices(e, sampled(5));
  BOOST_REQUIRE(five.size() == 5u);
  for (std::int32_t i = 0; i + 1 < 5; ++i)
    BOOST_TEST((five.at(i).ids != five.at(i + 1).ids));
  const auto two = run_choices(e, sampled(2));
  for (std::int32_t i = 0; i < 2; ++i) {
    BOOST_TEST(two.at(i).ids == five.at(i).ids,
               boost::test_tools::per_element());
    BOOST_TEST(two.at(i).text == five.at(i).text);
  }
  config.scheduling.enable_prefix_caching = false;
  ganglion::engine computing(config);
  computing.wait_until_ready();
  const auto computed = run_choices(computing, sampled(5));
  for (std::int32_t i = 0; i < 5; ++i)
    BOOST_TEST(computed.at(i).ids == five.at(i).ids,
               boost::test_tools::per_element());
  BOOST_TEST(e.status().free_kv_blocks == e.status().kv_blocks);
}

BOOST_AUTO_TEST_CASE(a_stop_string_ends_its_own_choice_only) {
  ganglion::engine e(story_config());
  e.wait_until_ready();
  const auto whole = run_choices(e, sampled(3));
  auto request = sampled(3);
  request.stop = {whole.at(1).text.substr(20, 8)};
  const auto stopped = run_choices(e, request);
  BOOST_TEST((stopped.at(1).finish == finish_reason::stop_sequence));
  BOOST_TEST(stopped.at(1).text == whole.at(1).text.substr(0, 20));
  for (const std::int32_t i : {0, 2}) {
    if (whole.at(i).text.find(request.stop[0]) != std::string::npos)
      continue;
    BOOST_TEST(stopped.at(i).text == whole.at(i).text);
    BOOST_TEST((stopped.at(i).finish == finish_reason::length));
  }
  BOOST_TEST(e.drain(std::chrono::seconds(60)));
}

BOOST_AUTO_TEST_CASE(the_best_of_many_is_one_of_them) {
  ganglion::engine e(story_config());
  e.wait_until_ready();
  const auto all = run_choices(e, sampled(4));
  auto request = sampled(1);
  request.best_of = 4;
  const auto best = run_choices(e, request);
  BOOST_REQUIRE(best.size() == 1u);
  BOOST_TEST(std::any_of(all.begin(), all.end(), [&](const auto &choice) {
    return choice.second.ids == best.at(0).ids;
  }));
}

BOOST_AUTO_TEST_CASE(a_client_that_leaves_ends_them_all) {
  ganglion::engine e(story_config());
  e.wait_until_ready();
  const auto sink = std::make_shared<choice_collector>();
  sink->cancel_after = 3;
  e.submit(sampled(4), std::static_pointer_cast<event_sink>(sink));
  sink->wait();
  for (const auto &[number, choice] : sink->choices)
    BOOST_TEST((choice.finish == finish_reason::cancelled));
  BOOST_TEST(e.drain(std::chrono::seconds(60)));
  BOOST_TEST(e.status().free_kv_blocks == e.status().kv_blocks);
}

BOOST_AUTO_TEST_CASE(bounds_are_named) {
  ganglion::engine e(story_config());
  e.wait_until_ready();
  auto request = sampled(0);
  BOOST_TEST(run(e, request)->last.field == "n");
  request = sampled(4);
  request.best_of = 2;
  BOOST_TEST(run(e, request)->last.field == "best_of");
}

BOOST_AUTO_TEST_SUITE_END()
