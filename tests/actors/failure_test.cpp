// Ranks that die, stall or disagree end their step with an error, never with a
// hang, and the engine goes on with a new group.
#include "actors/caf_boundary.hpp"
#include "tests/actors/engine_fixture.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <latch>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

struct control_config : caf::actor_system_config {
  control_config() { actors::rt::configure(*this); }
};

/// An engine whose rank `rank` does `fault` once, before its `at`-th step.
class faulty_engine {
public:
  using fault = std::function<void(runtime::step_plan &)>;

  faulty_engine(engine_config config, std::int64_t rank, int at, fault f,
                std::shared_ptr<const ganglion::clock> time = nullptr) {
    actors::environment surroundings;
    if (time)
      surroundings.time = std::move(time);
    surroundings.before_step = [this, rank, at, f](std::int64_t r,
                                                   runtime::step_plan &p) {
      if (r == rank && ++steps_ == at)
        f(p);
    };
    hosted = std::make_unique<hosted_engine>(system_, std::move(config),
                                             load_observer{}, surroundings);
    hosted->wait_until_ready();
  }

private:
  std::atomic<int> steps_{0};
  control_config settings_;
  caf::actor_system system_{settings_};

public:
  std::unique_ptr<hosted_engine> hosted;
};

engine_config config_of(std::int64_t degree, runtime::collectives_kind kind) {
  auto c = story_config(degree);
  c.graph.collectives = kind;
  // One at a time: the second request stays queued while the first fails.
  c.scheduling.max_rolling_batch_size = 1;
  return c;
}

/// The running request fails, the queued one is served by the new group.
void check_recovery(faulty_engine &e,
                    const std::function<void(collector &)> &meanwhile) {
  const auto running = start(*e.hosted, prompt_of("Once upon a time", 100));
  running->wait_for_tokens(1); // so that the next one comes second
  const auto queued = start(*e.hosted, prompt_of("Once upon a time", 4));
  meanwhile(*running);
  running->wait();
  BOOST_TEST(running->last.failed);
  BOOST_TEST((running->last.code == error_code::unavailable));
  queued->wait();
  const std::vector<std::int32_t> expected{432, 383, 286, 261};
  BOOST_TEST(queued->ids == expected, boost::test_tools::per_element());
  const auto s = e.hosted->status();
  BOOST_TEST(s.rebuilds == 1u);
  BOOST_TEST(e.hosted->drain(std::chrono::seconds(60)));
  BOOST_TEST(e.hosted->status().free_kv_blocks == s.kv_blocks);
}

const auto degrees = boost::unit_test::data::make({2, 4});
const auto kinds =
    boost::unit_test::data::make({int(runtime::collectives_kind::lease),
                                  int(runtime::collectives_kind::message)});

runtime::collectives_kind kind_of(int k) {
  return static_cast<runtime::collectives_kind>(k);
}

} // namespace

BOOST_AUTO_TEST_SUITE(failure)

BOOST_DATA_TEST_CASE(a_rank_that_dies, degrees *kinds, degree, kind) {
  faulty_engine e(
      config_of(degree, kind_of(kind)), 1, 5,
      [](runtime::step_plan &) { throw std::runtime_error("injected"); });
  check_recovery(e, [](collector &) {});
}

BOOST_DATA_TEST_CASE(ranks_that_disagree, degrees *kinds, degree, kind) {
  faulty_engine e(config_of(degree, kind_of(kind)), 1, 5,
                  [](runtime::step_plan &p) {
                    // One row more than the others reduce.
                    p.token_ids.push_back(1);
                    p.positions.push_back(0);
                    p.row_slots.push_back(0);
                    p.write_slots.push_back(1 << 20);
                  });
  check_recovery(e, [](collector &) {});
}

BOOST_DATA_TEST_CASE(a_rank_that_stalls,
                     boost::unit_test::data::make({1, 2, 4}) * kinds, degree,
                     kind) {
  const auto time = std::make_shared<manual_clock>();
  std::latch stalled(1), release(1);
  {
    faulty_engine e(
        config_of(degree, kind_of(kind)), degree - 1, 5,
        [&](runtime::step_plan &) {
          stalled.count_down();
          release.wait();
        },
        time);
    check_recovery(e, [&](collector &running) {
      stalled.wait();
      // Four tokens: the scheduler now waits for the fifth step alone.
      running.wait_for_tokens(4);
      time->advance(std::chrono::seconds(31));
    });
    release.count_down();
  }
}

BOOST_AUTO_TEST_CASE(a_group_that_keeps_dying_fails_the_engine) {
  control_config settings;
  caf::actor_system system(settings);
  actors::environment surroundings;
  surroundings.before_step = [](std::int64_t, runtime::step_plan &) {
    throw std::runtime_error("injected");
  };
  hosted_engine e(system, story_config(), {}, surroundings);
  e.wait_until_ready();
  for (int i = 0; i < 4; ++i)
    BOOST_TEST(run(e, prompt_of("Once", 5))->last.failed);
  const auto refused = run(e, prompt_of("Once", 5));
  BOOST_TEST(refused->last.failed);
  BOOST_TEST((e.status().state == engine_state::failed));
}

BOOST_AUTO_TEST_SUITE_END()
