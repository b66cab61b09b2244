// Loading that takes too long fails the engine, by the clock it was given.
#include "actors/caf_boundary.hpp"
#include "actors/hosted_engine.hpp"
#include "tests/actors/engine_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <future>
#include <optional>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

struct control_config : caf::actor_system_config {
  control_config() { actors::rt::configure(*this); }
};

/// An engine whose loading stands still until `go_on` is called.
class slow_engine {
public:
  explicit slow_engine(engine_config config) {
    actors::environment surroundings;
    surroundings.time = time;
    engine.emplace(
        system, std::move(config),
        [this](const load_report &) {
          if (!std::exchange(reported_, true)) {
            begun_.set_value();
            released_.get_future().wait();
          }
        },
        surroundings);
    begun_.get_future().wait();
  }
  ~slow_engine() {
    go_on();
    engine->stop(std::chrono::seconds(30));
  }

  void go_on() {
    if (!std::exchange(gone_on_, true))
      released_.set_value();
  }

  std::shared_ptr<manual_clock> time = std::make_shared<manual_clock>();
  control_config settings;
  caf::actor_system system{settings};
  std::optional<hosted_engine> engine;

private:
  std::promise<void> begun_, released_;
  bool reported_ = false, gone_on_ = false;
};

} // namespace

BOOST_AUTO_TEST_SUITE(loading_timeout)

BOOST_AUTO_TEST_CASE(loading_that_takes_too_long_fails) {
  auto config = story_config();
  config.model.loading_timeout.emplace(7200);
  slow_engine slow(config);
  slow.time->advance(std::chrono::seconds(7200));
  try {
    slow.engine->wait_until_ready();
    BOOST_ERROR("became ready");
  } catch (const error &e) {
    BOOST_TEST((e.code() == error_code::timed_out));
    BOOST_TEST(e.what() == "the model was not loaded within 7200 seconds");
    BOOST_TEST(e.field() == "model_loading_timeout");
  }
  slow.go_on(); // what was loaded too late is not used
  BOOST_TEST(slow.engine->stop(std::chrono::seconds(30)));
  BOOST_TEST((slow.engine->model() == nullptr));
}

BOOST_AUTO_TEST_CASE(loading_in_time_does_not) {
  auto config = story_config();
  config.model.loading_timeout.emplace(7200);
  slow_engine slow(config);
  slow.time->advance(std::chrono::seconds(7199));
  slow.go_on();
  slow.engine->wait_until_ready();
  BOOST_TEST((slow.engine->status().state == engine_state::ready));
  slow.time->advance(std::chrono::seconds(2)); // too late to matter
  BOOST_TEST(run(*slow.engine, prompt_of("Once upon", 2))->ids.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
