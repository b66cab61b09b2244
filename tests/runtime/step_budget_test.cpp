// Steps in which prompts take no more time than texts may wait.
#include "runtime/scheduling/scheduler.hpp"
#include "runtime/speculation/row_cost.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

/// A device whose steps take 1,000 ns and 100 for each row.
struct timed_device {
  explicit timed_device(std::int64_t budget) {
    scheduler_limits limits;
    limits.slots = 2;
    limits.chunk = 64;
    limits.block_positions = 16;
    limits.blocks = 64;
    limits.max_blocks = 32;
    limits.n_positions = 512;
    limits.vocabulary = 8;
    limits.step_budget = budget;
    work.emplace(limits);
  }

  void add(request_id id, std::size_t prompt) {
    sequence_request r;
    r.id.request = id;
    r.prompt.assign(prompt, 1);
    r.max_new_tokens = 100;
    work->add(std::move(r));
  }

  /// The rows of the next step.
  std::size_t step() {
    const auto plan = work->plan();
    BOOST_REQUIRE(plan);
    step_result result;
    result.id = plan->id;
    result.nanoseconds = 1000 + 100 * static_cast<std::int64_t>(plan->rows());
    for (const auto &want : plan->logits)
      result.tokens.push_back({want.slot, 3, -1.0f});
    work->apply(result);
    work->check_invariants();
    return plan->rows();
  }

  std::optional<scheduler> work;
};

} // namespace

BOOST_AUTO_TEST_SUITE(step_budget)

BOOST_AUTO_TEST_CASE(rows_within_a_time) {
  row_cost cost;
  BOOST_TEST(cost.rows_within(10, 64) == 64); // nothing is known
  cost.note(16, 2000);
  // A step of 16 rows takes twice the time of an empty one, it is thought.
  BOOST_TEST(cost.rows_within(3000, 64) == 32);
  for (int i = 0; i < 50; ++i) {
    cost.note(1, 1100);
    cost.note(64, 7400);
    cost.note(16, 2600);
  }
  BOOST_TEST(cost.rows_within(3000 + 50, 64) == 20);
  BOOST_TEST(cost.rows_within(1'000'000, 64) == 64);
  BOOST_TEST(cost.rows_within(500, 64) == 0);
}

BOOST_AUTO_TEST_CASE(a_long_prompt_comes_in_pieces_beside_a_text) {
  timed_device device(3050); // 20 rows
  device.add(1, 40);
  BOOST_TEST(device.step() == 40u); // nobody waits
  for (int i = 0; i < 10; ++i)
    BOOST_TEST(device.step() == 1u);
  device.add(2, 300);
  std::size_t steps = 0;
  for (std::size_t left = 300; left > 0; ++steps) {
    const auto rows = device.step();
    BOOST_TEST(rows <= 20u);
    BOOST_TEST(rows >= 2u);
    left -= std::min(left, rows - 1);
  }
  BOOST_TEST(steps == 16u); // 19 rows each, and what is left
}

BOOST_AUTO_TEST_CASE(prompts_go_on_however_small_the_budget) {
  timed_device device(1);
  device.add(1, 10);
  device.step();
  device.add(2, 40);
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(device.step() == 9u);
  BOOST_TEST(device.step() == 2u);
}

BOOST_AUTO_TEST_CASE(without_a_budget_steps_are_full) {
  timed_device device(0);
  device.add(1, 10);
  device.step();
  device.add(2, 300);
  BOOST_TEST(device.step() == 64u);
}

BOOST_AUTO_TEST_SUITE_END()
