// Guessed tokens in steps: whatever is guessed, the tokens stay the same.
#include "tests/runtime/fake_device.hpp"

#include <map>
#include <random>
#include <set>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

/// Knows what comes, and says something else now and then.
class informed_guesser final : public guesser {
public:
  informed_guesser(double right, unsigned seed)
      : right_(right),
        random_(seed) {}
  void continue_after(std::span<const std::int32_t> tokens, std::size_t most,
                      std::vector<std::int32_t> &out) override {
    const auto real =
        alone({tokens.begin(), tokens.end()}, static_cast<std::int64_t>(most));
    std::bernoulli_distribution is_right(right_);
    for (const std::int32_t t : real)
      out.push_back(is_right(random_) ? t : 99);
  }

private:
  double right_;
  std::mt19937 random_;
};

guesser_factory informed(double right) {
  return [right, seed = 1u]() mutable {
    return std::make_unique<informed_guesser>(right, seed++);
  };
}

scheduler_limits guessing(double right, std::int64_t length) {
  auto l = limits_of(2, 32);
  l.speculative_length = length;
  l.guessers = informed(right);
  return l;
}

/// Runs one sequence alone, plans made as far ahead as they can; its steps.
std::size_t run_alone(runtime::scheduler &s, fake_device &device,
                      std::vector<std::int32_t> &out, guess_counts &counts) {
  std::size_t steps = 0;
  std::deque<std::shared_ptr<const step_plan>> under_way;
  while (s.running() + s.waiting() > 0) {
    while (under_way.size() < 2)
      if (const auto p = s.plan())
        under_way.push_back(p);
      else
        break;
    ++steps;
    for (const auto &e : s.apply(device.run(*under_way.front()))) {
      out.push_back(e.token->token);
      counts = e.guesses;
    }
    under_way.pop_front();
    s.check_invariants();
  }
  return steps;
}

} // namespace

BOOST_AUTO_TEST_SUITE(scheduler_guesses)

BOOST_AUTO_TEST_CASE(right_guesses_save_steps) {
  const auto l = guessing(1, 8);
  runtime::scheduler s(l);
  fake_device device(l);
  const auto asked = request_of(1, 10, 50);
  s.add(asked);
  std::vector<std::int32_t> got;
  guess_counts counts;
  const auto steps = run_alone(s, device, got, counts);
  BOOST_TEST(got == alone(asked.prompt, 50), boost::test_tools::per_element());
  BOOST_TEST(steps < 15u);
  BOOST_TEST(counts.judged >= 30);
  BOOST_TEST(counts.held == counts.judged);
  BOOST_TEST(s.counters().guesses.held == counts.held);
  BOOST_TEST(s.free_blocks() == 32);
}

BOOST_AUTO_TEST_CASE(wrong_guesses_never_reach_a_step) {
  const auto l = guessing(0, 8);
  runtime::scheduler s(l);
  fake_device device(l);
  const auto asked = request_of(1, 10, 50);
  s.add(asked);
  std::vector<std::int32_t> got;
  guess_counts counts;
  // One step more than tokens: the last one is planned before it is known.
  BOOST_TEST(run_alone(s, device, got, counts) <= 51u);
  BOOST_TEST(got == alone(asked.prompt, 50), boost::test_tools::per_element());
  BOOST_TEST(counts.judged == 0);
}

BOOST_AUTO_TEST_CASE(guesses_end_with_the_tokens_that_are_wanted) {
  for (std::int64_t wanted = 1; wanted < 20; ++wanted) {
    const auto l = guessing(1, 16);
    runtime::scheduler s(l);
    fake_device device(l);
    const auto asked = request_of(1, 3, wanted);
    s.add(asked);
    std::vector<std::int32_t> got;
    guess_counts counts;
    run_alone(s, device, got, counts);
    BOOST_TEST(got == alone(asked.prompt, wanted),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(an_end_token_among_guesses_ends_the_sequence) {
  const auto l = guessing(1, 8);
  runtime::scheduler s(l);
  fake_device device(l);
  auto asked = request_of(1, 10, 50);
  const auto all = alone(asked.prompt, 50);
  asked.eos_ids = std::make_shared<const std::set<std::int32_t>>(
      std::set<std::int32_t>{all[23]});
  s.add(asked);
  std::vector<std::int32_t> got;
  guess_counts counts;
  run_alone(s, device, got, counts);
  const auto end = std::ranges::find(all, all[23]) - all.begin() + 1;
  BOOST_TEST(got == std::vector(all.begin(), all.begin() + end),
             boost::test_tools::per_element());
  BOOST_TEST(s.free_blocks() == 32);
}

BOOST_AUTO_TEST_CASE(tokens_are_the_same_under_any_load) {
  std::mt19937 random(11);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  std::int64_t judged = 0, held = 0;
  std::uint64_t preemptions = 0;
  for (int round = 0; round < 150; ++round) {
    auto l = limits_of(pick(1, 5), pick(16, 24));
    l.pools = pick(1, static_cast<int>(l.slots));
    l.shared_positions = 64;
    l.prompt_logit_rows = pick(1, 12);
    l.speculative_length = pick(1, 8);
    l.guessers = informed(0.25 * pick(2, 4));
    runtime::scheduler s(l);
    fake_device device(l);
    std::map<request_id, sequence_request> asked;
    std::map<request_id, std::vector<std::int32_t>> got;
    std::set<request_id> cancelled;
    std::deque<std::shared_ptr<const step_plan>> under_way;
    for (request_id id = 1; id <= 8; ++id) {
      asked[id] = request_of(id, pick(1, 30), pick(1, 34));
      s.add(asked[id]);
    }
    for (int step = 0; step < 2000 && s.waiting() + s.running() > 0; ++step) {
      if (pick(0, 60) == 0)
        if (const request_id id = pick(1, 8); s.remove(request_id{id}))
          cancelled.insert(id);
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
        for (const auto &e : s.apply(device.run(*under_way.front())))
          got[e.id.request].push_back(e.token->token);
        under_way.pop_front();
        s.check_invariants();
      }
    }
    BOOST_REQUIRE(s.waiting() + s.running() == 0u);
    BOOST_TEST(s.free_blocks() == l.blocks * l.pools);
    judged += s.counters().guesses.judged;
    held += s.counters().guesses.held;
    preemptions += s.counters().preemptions;
    for (const auto &[id, r] : asked)
      if (!cancelled.contains(id))
        BOOST_TEST(got[id] == alone(r.prompt, r.max_new_tokens),
                   boost::test_tools::per_element());
  }
  BOOST_TEST(held > 2000);
  BOOST_TEST(judged > held);
  BOOST_TEST(preemptions > 100u);
}

BOOST_AUTO_TEST_SUITE_END()
