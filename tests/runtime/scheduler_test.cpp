#include "tests/runtime/fake_device.hpp"

#include <random>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

struct outcome {
  std::vector<std::int32_t> tokens;
  finish_reason finish = finish_reason::none;
};

/// Runs the only sequence to its end; the prompt positions it found computed.
std::int64_t run_one(runtime::scheduler &s, fake_device &device) {
  std::int64_t cached = -1;
  while (s.running() + s.waiting() > 0) {
    const auto p = s.plan();
    for (const auto &e : s.apply(device.run(*p)))
      cached = e.cached_tokens;
    s.check_invariants();
  }
  return cached;
}

} // namespace

BOOST_AUTO_TEST_SUITE(scheduler)

BOOST_AUTO_TEST_CASE(prefills_in_chunks_then_decodes) {
  const auto l = limits_of(2, 32);
  runtime::scheduler s(l);
  fake_device device(l);
  s.add(request_of(1, 20, 2));
  auto first = s.plan();
  BOOST_TEST(first->rows() == 16u);
  BOOST_TEST(first->logits.empty());
  auto second = s.plan(); // pipelined: the first has not ended
  BOOST_TEST(second->rows() == 4u);
  BOOST_TEST(second->logits.size() == 1u);
  auto third = s.plan();
  BOOST_TEST(third->rows() == 1u);
  BOOST_TEST(third->token_ids[0] == last_sampled);
  BOOST_TEST(!s.plan()); // the second and last token is on its way
  s.apply(device.run(*first));
  const auto expected = alone(std::vector<std::int32_t>(20, 1), 2);
  BOOST_TEST(s.apply(device.run(*second))[0].token->token == expected[0]);
  const auto last = s.apply(device.run(*third));
  BOOST_TEST(last[0].token->token == expected[1]);
  BOOST_TEST((last[0].finish == finish_reason::length));
  BOOST_TEST(s.free_blocks() == 32);
  s.check_invariants();
}

BOOST_AUTO_TEST_CASE(decode_rows_come_first) {
  const auto l = limits_of(2, 32);
  runtime::scheduler s(l);
  fake_device device(l);
  s.add(request_of(1, 3, 10));
  s.apply(device.run(*s.plan()));
  s.add(request_of(2, 40, 10));
  const auto p = s.plan();
  BOOST_TEST(p->rows() == 16u);
  BOOST_TEST(p->row_slots[0] != p->row_slots[1]);
  BOOST_TEST(p->logits.size() == 1u);
}

BOOST_AUTO_TEST_CASE(ends_at_eos_and_drops_the_row_under_way) {
  const auto l = limits_of(1, 16);
  runtime::scheduler s(l);
  fake_device device(l);
  auto r = request_of(1, 3, 10);
  r.eos_ids = std::make_shared<const std::set<std::int32_t>>(
      std::set<std::int32_t>{alone(r.prompt, 1)[0]});
  s.add(std::move(r));
  const auto first = s.plan();
  const auto ahead = s.plan();
  BOOST_TEST(ahead->rows() == 1u);
  const auto events = s.apply(device.run(*first));
  BOOST_TEST((events[0].finish == finish_reason::eos_token));
  BOOST_TEST(s.free_blocks() == 16);
  BOOST_TEST(s.apply(device.run(*ahead)).empty());
  BOOST_TEST(!s.plan());
  s.check_invariants();
}

BOOST_AUTO_TEST_CASE(prompt_logits_are_bounded_per_step) {
  auto l = limits_of(4, 64);
  l.prompt_logit_rows = 5;
  runtime::scheduler s(l);
  std::map<request_id, std::size_t> rows;
  for (request_id id = 1; id <= 3; ++id) {
    auto r = request_of(id, 7, 0);
    r.prompt_logits = r.prompt_only = true;
    s.add(std::move(r));
  }
  for (int step = 0; step < 20 && s.running() + s.waiting() > 0; ++step) {
    const auto p = s.plan();
    BOOST_REQUIRE(p);
    BOOST_TEST(p->logits.size() <= 5u);
    step_result result;
    result.id = p->id;
    result.logits = std::make_shared<const std::vector<float>>(
        p->logits.size() * static_cast<std::size_t>(l.vocabulary));
    for (const auto &e : s.apply(result))
      rows[e.id.request] += e.logits.size() / 8;
    s.check_invariants();
  }
  for (request_id id = 1; id <= 3; ++id)
    BOOST_TEST(rows[id] == 7u);
}

BOOST_AUTO_TEST_CASE(deadlines_are_reported) {
  runtime::scheduler s(limits_of(1, 16));
  auto r = request_of(1, 3, 10);
  r.deadline = time_point(std::chrono::seconds(5));
  s.add(std::move(r));
  BOOST_TEST((s.next_deadline() == time_point(std::chrono::seconds(5))));
  BOOST_TEST(s.expired(time_point(std::chrono::seconds(4))).empty());
  BOOST_TEST(s.expired(time_point(std::chrono::seconds(5))).size() == 1u);
  BOOST_TEST(s.remove(request_id{1}));
  BOOST_TEST(!s.remove(request_id{1}));
}

BOOST_AUTO_TEST_CASE(random_load_with_preemption_cancels_and_losses) {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  std::uint64_t hits = 0;
  for (int round = 0; round < 200; ++round) {
    auto l = limits_of(pick(1, 6), pick(16, 24));
    l.pools = pick(1, static_cast<int>(l.slots));
    l.shared_positions = pick(0, 1) ? 64 : 30;
    runtime::scheduler s(l);
    fake_device device(l);
    std::map<request_id, outcome> outcomes;
    std::map<request_id, sequence_request> asked;
    std::set<request_id> cancelled;
    std::deque<std::shared_ptr<const step_plan>> under_way;
    request_id next = 1;
    for (int step = 0; step < 2000; ++step) {
      if (next <= 12 && pick(0, 2) == 0) {
        // Prompts that begin alike, and some that a salt keeps apart.
        auto r = request_of(next, pick(1, 40), pick(1, 30));
        for (std::size_t i = 12; i < r.prompt.size(); ++i)
          r.prompt[i] = pick(0, 20) == 0 ? 2 : 1;
        r.cache_salt = pick(0, 3) == 0 ? "other" : "";
        asked[next++] = r;
        s.add(std::move(r));
      }
      if (pick(0, 40) == 0 && next > 1) {
        const auto id = static_cast<request_id>(pick(1, int(next) - 1));
        if (s.remove(request_id{id}))
          cancelled.insert(id);
      }
      if (pick(0, 200) == 0) {
        s.reset_device();
        under_way.clear();
        device = fake_device(l);
      }
      if (under_way.size() < 2)
        if (auto p = s.plan())
          under_way.push_back(p);
      s.check_invariants();
      if (!under_way.empty() && (under_way.size() == 2 || pick(0, 1))) {
        const auto result = device.run(*under_way.front());
        under_way.pop_front();
        for (const auto &e : s.apply(result)) {
          outcomes[e.id.request].tokens.push_back(e.token->token);
          outcomes[e.id.request].finish = e.finish;
        }
        s.check_invariants();
      }
      if (next > 12 && s.waiting() + s.running() == 0)
        break;
    }
    BOOST_REQUIRE(s.waiting() + s.running() == 0u);
    BOOST_TEST(s.free_blocks() == l.blocks * l.pools);
    hits += s.counters().cached_positions;
    for (const auto &[id, r] : asked) {
      if (cancelled.contains(id))
        continue;
      const auto &got = outcomes[id];
      BOOST_TEST(got.tokens == alone(r.prompt, std::min<std::int64_t>(
                                                   r.max_new_tokens,
                                                   64 - std::ssize(r.prompt))),
                 boost::test_tools::per_element());
      BOOST_TEST((got.finish == finish_reason::length));
    }
  }
  BOOST_TEST(hits > 1000u);
}

BOOST_AUTO_TEST_CASE(a_prompt_starts_from_blocks_of_an_earlier_one) {
  auto l = limits_of(2, 32);
  l.shared_positions = 64;
  runtime::scheduler s(l);
  fake_device device(l);
  s.add(request_of(1, 14, 1));
  BOOST_TEST(run_one(s, device) == 0);
  s.add(request_of(2, 14, 1));
  BOOST_TEST(run_one(s, device) == 12); // three full blocks
  s.add(request_of(3, 12, 1));
  BOOST_TEST(run_one(s, device) == 8); // the last token is computed
  auto apart = request_of(4, 14, 1);
  apart.cache_salt = "apart";
  s.add(std::move(apart));
  BOOST_TEST(run_one(s, device) == 0);
  auto logits = request_of(5, 14, 0);
  logits.prompt_logits = true;
  s.add(std::move(logits));
  BOOST_TEST(s.plan()->rows() == 14u);
}

BOOST_AUTO_TEST_CASE(blocks_of_a_sequence_without_finite_logits_are_not_found) {
  auto l = limits_of(1, 32);
  l.shared_positions = 64;
  runtime::scheduler s(l);
  fake_device device(l);
  device.logprob = std::nanf("");
  s.add(request_of(1, 14, 1));
  BOOST_TEST(run_one(s, device) == 0);
  s.add(request_of(2, 14, 1));
  BOOST_TEST(run_one(s, device) == 0);
}

BOOST_AUTO_TEST_CASE(prompts_that_rotate_in_their_own_way_share_nothing) {
  auto l = limits_of(1, 32);
  l.shared_positions = 12;
  runtime::scheduler s(l);
  fake_device device(l);
  for (const std::int64_t prompt : {12, 14}) {
    s.add(request_of(static_cast<request_id>(prompt), prompt, 1));
    BOOST_TEST(run_one(s, device) == 0);
    s.add(request_of(static_cast<request_id>(prompt) + 1, prompt, 1));
    BOOST_TEST(run_one(s, device) == (prompt == 12 ? 8 : 0));
  }
}

BOOST_AUTO_TEST_CASE(idle_blocks_are_reused_when_no_other_is_free) {
  auto l = limits_of(1, 16);
  l.shared_positions = 64;
  runtime::scheduler s(l);
  fake_device device(l);
  s.add(request_of(1, 17, 1));
  BOOST_TEST(run_one(s, device) == 0);
  auto large = request_of(2, 60, 1);
  std::fill(large.prompt.begin(), large.prompt.end(), 9);
  s.add(large);
  BOOST_TEST(run_one(s, device) == 0);
  // The last blocks of the first were taken first: 16 - 15 are left.
  s.add(request_of(3, 17, 1));
  BOOST_TEST(run_one(s, device) == 4);
}

BOOST_AUTO_TEST_CASE(choices_share_the_blocks_of_their_prompt) {
  auto l = limits_of(4, 32);
  l.shared_positions = 64;
  runtime::scheduler s(l);
  fake_device device(l);
  for (std::int32_t choice = 0; choice < 3; ++choice) {
    auto r = request_of(1, 14, 4);
    r.id.choice = choice;
    s.add(std::move(r));
  }
  s.add(request_of(2, 2, 1)); // does not wait behind them
  const auto first = s.plan();
  BOOST_TEST(first->rows() == 16u);
  s.apply(device.run(*first));
  const auto second = s.plan(); // a row of the first, two of each other
  BOOST_TEST(second->rows() == 5u);
  std::map<std::int32_t, std::vector<std::int32_t>> tokens;
  for (auto p = second; p; p = s.plan()) {
    for (const auto &e : s.apply(device.run(*p)))
      tokens[e.id.choice].push_back(e.token->token);
    s.check_invariants();
  }
  const auto expected = alone(std::vector<std::int32_t>(14, 1), 4);
  BOOST_TEST(tokens[1] == expected, boost::test_tools::per_element());
  BOOST_TEST(tokens[2] == expected, boost::test_tools::per_element());
  BOOST_TEST(!s.remove(request_id{1}));
}

BOOST_AUTO_TEST_CASE(a_request_is_removed_with_all_its_choices) {
  runtime::scheduler s(limits_of(2, 32));
  for (std::int32_t choice = 0; choice < 3; ++choice) {
    auto r = request_of(1, 3, 4);
    r.id.choice = choice;
    s.add(std::move(r));
  }
  s.plan();
  BOOST_TEST(s.remove(sequence_id{1, 1}));
  BOOST_TEST(s.running() + s.waiting() == 2u);
  BOOST_TEST(s.remove(request_id{1}));
  BOOST_TEST(s.running() + s.waiting() == 0u);
  s.check_invariants();
}

BOOST_AUTO_TEST_CASE(a_lost_device_is_not_remembered) {
  auto l = limits_of(1, 16);
  l.shared_positions = 64;
  runtime::scheduler s(l);
  fake_device device(l);
  s.add(request_of(1, 17, 1));
  BOOST_TEST(run_one(s, device) == 0);
  s.reset_device();
  s.add(request_of(2, 17, 1));
  BOOST_TEST(run_one(s, device) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
