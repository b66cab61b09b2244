#include "actors/request_logic.hpp"
#include "tests/actors/engine_fixture.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::actors;
using namespace ganglion::testing;

namespace {

struct logic_fixture {
  logic_fixture() {
    const auto config = story_config();
    auto opened = std::make_shared<runtime::loaded_model>();
    opened->source = runtime::open_model(config.model);
    opened->plan = runtime::plan_model(opened->source->spec(), config);
    opened->tokens = runtime::tokenizer::load(stories260k());
    model = opened;
  }

  actors::request_logic accepted(generation_request request) const {
    submit_request submitted;
    submitted.id = 1;
    submitted.request =
        std::make_shared<const generation_request>(std::move(request));
    actors::request_logic logic(submitted, model);
    const auto sequences = logic.accept({{1, 2, 3}, nullptr}, {}, {},
                                        [] { return std::uint64_t{7}; });
    for (std::size_t i = 0; i < sequences->size(); ++i)
      BOOST_TEST(sequences->at(i).id.choice == static_cast<int>(i));
    return logic;
  }

  /// A token of a choice, as the scheduler tells of it.
  sequence_progress token(std::int32_t choice, const std::string &text,
                          finish_reason finish = finish_reason::none) const {
    sequence_progress p;
    p.choice = choice;
    p.token.emplace();
    p.token->token = model->tokens->encode(text, false).back();
    p.token->logprob = -1;
    p.finish = finish;
    return p;
  }

  std::shared_ptr<const runtime::loaded_model> model;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(request_logic, logic_fixture)

BOOST_AUTO_TEST_CASE(a_token_that_comes_after_the_stop_changes_nothing) {
  generation_request request;
  request.n = 2;
  request.stop = {"."};
  auto logic = accepted(request);
  const auto [ends, stopped, more] = logic.progress(token(0, "."));
  BOOST_TEST(stopped);
  BOOST_TEST(!more);
  BOOST_REQUIRE(ends.size() == 1u);
  BOOST_TEST((ends[0].finish == finish_reason::stop_sequence));
  BOOST_TEST(ends[0].open_choices == 1);
  BOOST_TEST(!ends[0].last());
  const auto late = logic.progress(token(0, "a"));
  BOOST_TEST(late.events.empty());
  BOOST_TEST(!late.stopped);
  const auto last = logic.progress(token(1, "a", finish_reason::length)).events;
  BOOST_REQUIRE(last.size() == 1u);
  BOOST_TEST(last[0].choice == 1);
  BOOST_TEST(last[0].last());
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_the_choices_that_are_open) {
  generation_request request;
  request.n = 3;
  auto logic = accepted(request);
  logic.progress(token(1, "a", finish_reason::length));
  const auto ends = logic.cancelled();
  BOOST_REQUIRE(ends.size() == 2u);
  BOOST_TEST(ends[0].choice == 0);
  BOOST_TEST(ends[1].choice == 2);
  BOOST_TEST(!ends[0].last());
  BOOST_TEST(ends[1].last());
}

BOOST_AUTO_TEST_SUITE_END()
