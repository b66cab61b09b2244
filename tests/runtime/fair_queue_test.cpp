// Equal shares for clients that ask for different amounts.
#include "runtime/scheduling/scheduler.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

/// One place in the batch, and a device that answers at once.
struct one_at_a_time {
  one_at_a_time() {
    scheduler_limits limits;
    limits.slots = 1;
    limits.chunk = 16;
    limits.block_positions = 16;
    limits.blocks = 8;
    limits.max_blocks = 4;
    limits.n_positions = 64;
    limits.vocabulary = 8;
    waiting.emplace(limits);
  }

  void add(request_id id, std::size_t client, std::int64_t tokens = 4,
           std::int64_t generated_before = 0) {
    sequence_request r;
    r.generated_before = generated_before;
    r.id.request = id;
    r.client = client;
    r.prompt = {1, 2};
    r.max_new_tokens = tokens;
    waiting->add(std::move(r));
  }

  /// Requests in the order in which they end.
  std::vector<request_id> served(std::size_t most = 1000) {
    std::vector<request_id> out;
    while (out.size() < most) {
      const auto plan = waiting->plan();
      if (!plan)
        break;
      step_result result;
      result.id = plan->id;
      for (const auto &want : plan->logits)
        result.tokens.push_back({want.slot, 3, -1.0f});
      for (const auto &event : waiting->apply(result))
        if (event.ends())
          out.push_back(event.id.request);
      waiting->check_invariants();
    }
    return out;
  }

  std::optional<scheduler> waiting;
};

using ids = std::vector<request_id>;

} // namespace

BOOST_FIXTURE_TEST_SUITE(fair_queue, one_at_a_time)

BOOST_AUTO_TEST_CASE(one_client_is_served_in_order) {
  for (request_id id = 1; id <= 5; ++id)
    add(id, 0, id % 2 == 0 ? 1 : 20);
  BOOST_TEST(served() == (ids{1, 2, 3, 4, 5}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_flood_does_not_hold_up_another_client) {
  for (request_id id = 1; id <= 6; ++id)
    add(id, 1);
  add(7, 2);
  add(8, 2);
  BOOST_TEST(served() == (ids{1, 7, 2, 8, 3, 4, 5, 6}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(shares_are_of_tokens_not_of_requests) {
  for (request_id id = 1; id <= 3; ++id)
    add(id, 1, 22); // 24 positions each
  for (request_id id = 4; id <= 9; ++id)
    add(id, 2, 10); // 12 each
  BOOST_TEST(served() == (ids{1, 4, 5, 2, 6, 7, 3, 8, 9}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_client_that_was_away_saves_nothing_up) {
  for (request_id id = 1; id <= 4; ++id)
    add(id, 1);
  BOOST_TEST(served(3) == (ids{1, 2, 3}), boost::test_tools::per_element());
  for (request_id id = 5; id <= 7; ++id)
    add(id, 2); // as if it had been here from now on
  add(8, 1);
  BOOST_TEST(served() == (ids{5, 4, 6, 7, 8}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_later_round_of_a_text_does_not_queue_again) {
  for (request_id id = 1; id <= 3; ++id)
    add(id, 0);
  add(4, 2);
  BOOST_TEST(served(1) == (ids{1}), boost::test_tools::per_element());
  add(1, 0, 1, 1);
  BOOST_TEST(served() == (ids{1, 4, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_lost_device_keeps_the_turns) {
  for (request_id id = 1; id <= 3; ++id)
    add(id, 1);
  add(4, 2);
  BOOST_TEST(served(1) == (ids{1}), boost::test_tools::per_element());
  waiting->reset_device();
  BOOST_TEST(served() == (ids{4, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
