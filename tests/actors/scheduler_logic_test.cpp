#include "actors/scheduler_logic.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::actors;
using namespace ganglion::runtime;

namespace {

/// Writes down what the logic says.
class recorder final : public scheduler_outbox {
public:
  void send_plan(const std::shared_ptr<const step_plan> &plan) override {
    plans.push_back(plan);
  }
  void send_event(const sequence_event &event) override {
    events.push_back(event);
  }
  void send_failure(request_id id, error_code code,
                    const std::string &) override {
    failures.emplace_back(id, code);
  }
  void report_loss(const std::string &reason) override {
    losses.push_back(reason);
  }

  std::vector<std::shared_ptr<const step_plan>> plans;
  std::vector<sequence_event> events;
  std::vector<std::pair<request_id, error_code>> failures;
  std::vector<std::string> losses;
};

struct fixture {
  fixture() {
    limits.slots = 2;
    limits.chunk = 8;
    limits.block_positions = 16;
    limits.blocks = 8;
    limits.max_blocks = 4;
    limits.n_positions = 64;
    logic.emplace(limits, time, std::chrono::seconds(30), out);
  }

  sequence_request request(request_id id, std::int64_t max_new = 5) const {
    sequence_request r;
    r.id.request = id;
    r.prompt = {1, 2, 3};
    r.max_new_tokens = max_new;
    return r;
  }

  std::shared_ptr<step_result> answer(std::size_t plan,
                                      std::int32_t token = 7) const {
    auto r = std::make_shared<step_result>();
    r->id = out.plans[plan]->id;
    for (const auto &want : out.plans[plan]->logits)
      r->tokens.push_back({want.slot, token, -1.0f});
    return r;
  }

  scheduler_limits limits;
  manual_clock time;
  recorder out;
  std::optional<scheduler_logic> logic;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(scheduler_logic, fixture)

BOOST_AUTO_TEST_CASE(waits_for_a_group_then_plans_one_ahead) {
  logic->enqueue(request(1));
  BOOST_TEST(out.plans.empty());
  logic->use_group(2);
  BOOST_TEST(out.plans.size() == 2u);
  logic->take_result(0, answer(0));
  BOOST_TEST(out.events.empty()); // rank 1 has not answered
  logic->take_result(1, answer(0));
  BOOST_TEST(out.events.size() == 1u);
  BOOST_TEST(out.plans.size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_rank_may_run_ahead_of_another) {
  logic->use_group(2);
  logic->enqueue(request(1));
  logic->take_result(0, answer(0));
  logic->take_result(0, answer(1));
  logic->take_result(1, answer(0));
  BOOST_TEST(out.events.size() == 1u);
  logic->take_result(1, answer(1));
  BOOST_TEST(out.events.size() == 2u);
}

BOOST_AUTO_TEST_CASE(ranks_that_sample_differently_lose_the_group) {
  logic->use_group(2);
  logic->enqueue(request(1));
  logic->take_result(0, answer(0, 7));
  logic->take_result(1, answer(0, 8));
  BOOST_TEST(out.losses.size() == 1u);
  BOOST_TEST(out.failures.size() == 1u);
  BOOST_TEST((out.failures[0].second == error_code::unavailable));
  BOOST_TEST(!logic->has_group());
}

BOOST_AUTO_TEST_CASE(a_failed_step_spares_what_is_queued) {
  logic->use_group(1);
  logic->enqueue(request(1));
  logic->enqueue(request(2));
  auto failed = answer(0);
  failed->status = neuron::collective_status::aborted;
  failed->tokens.clear();
  logic->take_result(0, failed);
  // The second was not part of the two plans under way.
  BOOST_TEST(out.failures.size() == 1u);
  BOOST_TEST(logic->scheduling().waiting() == 1u);
  const auto before = out.plans.size();
  logic->use_group(1);
  BOOST_TEST(out.plans.size() == before + 2);
  // A late answer of the lost group is none of ours.
  logic->take_result(0, answer(0));
  BOOST_TEST(out.events.empty());
}

BOOST_AUTO_TEST_CASE(a_row_without_a_token_fails_its_request_alone) {
  const std::pair<token_status, error_code> cases[] = {
      {token_status::not_finite, error_code::internal},
      {token_status::none_left, error_code::invalid_argument}};
  logic->use_group(1);
  request_id id = 0;
  std::size_t plan = 0;
  for (const auto &[status, code] : cases) {
    out.events.clear();
    const auto bad = ++id, good = ++id;
    logic->enqueue(request(bad));
    logic->enqueue(request(good));
    auto first = answer(plan++);
    first->tokens[0].status = status;
    logic->take_result(0, first);
    BOOST_REQUIRE(!out.failures.empty());
    BOOST_TEST((out.failures.back() == std::pair(bad, code)));
    while (plan < out.plans.size())
      logic->take_result(0, answer(plan++));
    BOOST_TEST(out.events.size() == 5u);
    for (const auto &event : out.events)
      BOOST_TEST(event.id.request == good);
  }
  BOOST_TEST(out.failures.size() == 2u);
  BOOST_TEST(out.losses.empty());
}

BOOST_AUTO_TEST_CASE(deadlines_and_stalls_are_seen_by_the_clock) {
  logic->use_group(1);
  auto r = request(1);
  r.deadline = time.now() + std::chrono::seconds(5);
  logic->enqueue(std::move(r));
  BOOST_TEST((logic->next_wake() == time.now() + std::chrono::seconds(5)));
  time.advance(std::chrono::seconds(5));
  logic->look_at_clock();
  BOOST_TEST(out.failures.size() == 1u);
  BOOST_TEST((out.failures[0].second == error_code::timed_out));
  BOOST_TEST(out.losses.empty());
  time.advance(std::chrono::seconds(25));
  logic->look_at_clock();
  BOOST_TEST(out.losses.size() == 1u);
  BOOST_TEST(!logic->next_wake());
}

BOOST_AUTO_TEST_CASE(fail_all_tells_everyone) {
  logic->enqueue(request(1));
  logic->enqueue(request(2));
  logic->fail_all(error_code::unavailable, "gone");
  BOOST_TEST(out.failures.size() == 2u);
  BOOST_TEST(logic->scheduling().waiting() == 0u);
  logic->enqueue(request(3)); // was on its way
  BOOST_TEST(out.failures.size() == 3u);
  BOOST_TEST(logic->scheduling().waiting() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
