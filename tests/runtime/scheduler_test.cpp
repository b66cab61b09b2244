#include "runtime/scheduling/scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

scheduler_limits limits_of(std::int64_t slots, std::int64_t blocks) {
  scheduler_limits l;
  l.slots = slots;
  l.chunk = 16;
  l.block_positions = 4;
  l.blocks = blocks;
  l.n_positions = 64;
  l.max_blocks = 16;
  l.vocabulary = 8;
  return l;
}

sequence_request request_of(request_id id, std::int64_t prompt,
                            std::int64_t max_new) {
  sequence_request r;
  r.id = id;
  r.prompt.assign(static_cast<std::size_t>(prompt), 1);
  r.max_new_tokens = max_new;
  return r;
}

/// A device that answers every plan; the token is a function of the position
/// alone, so that preemption must not change it. Checks that every row's
/// predecessors were written to the same blocks.
class fake_device {
public:
  explicit fake_device(const scheduler_limits &l)
      : limits_(l),
        caches_(
            static_cast<std::size_t>(l.pools),
            std::vector<std::int32_t>(
                static_cast<std::size_t>(l.blocks * l.block_positions), -1)),
        last_(static_cast<std::size_t>(l.slots), -7) {}

  step_result run(const step_plan &p) {
    step_result r;
    r.id = p.id;
    for (const auto &s : p.setups)
      last_[s.slot] = s.history->back();
    for (std::size_t i = 0; i < p.rows(); ++i) {
      BOOST_REQUIRE(p.write_slots[i] >= 0);
      if (p.token_ids[i] == last_sampled)
        BOOST_REQUIRE(last_[p.row_slots[i]] == p.positions[i] + 100);
      cache_of(p.row_slots[i])[p.write_slots[i]] = p.positions[i];
    }
    for (std::size_t i = 0; i < p.rows(); ++i)
      check_visible(p, i);
    for (const auto &want : p.logits) {
      const auto token = static_cast<std::int32_t>(want.position + 100);
      last_[want.slot] = token;
      r.tokens.push_back({want.slot, token, -0.5f});
    }
    return r;
  }

private:
  void check_visible(const step_plan &p, std::size_t row) {
    const auto size = limits_.block_positions;
    for (std::int32_t j = 0; j <= p.positions[row]; ++j) {
      const auto block =
          p.block_tables[p.row_slots[row] * limits_.max_blocks + j / size];
      BOOST_REQUIRE(cache_of(p.row_slots[row])[block * size + j % size] == j);
    }
    BOOST_REQUIRE(p.context_lengths[p.row_slots[row]] > p.positions[row]);
  }

  scheduler_limits limits_;
  std::vector<std::int32_t> &cache_of(std::int32_t slot) {
    return caches_[static_cast<std::size_t>(slot % limits_.pools)];
  }

  std::vector<std::vector<std::int32_t>> caches_;
  std::vector<std::int32_t> last_;
};

struct outcome {
  std::vector<std::int32_t> tokens;
  finish_reason finish = finish_reason::none;
};

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
  BOOST_TEST(s.apply(device.run(*second))[0].token->token == 120);
  const auto last = s.apply(device.run(*third));
  BOOST_TEST(last[0].token->token == 121);
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
      std::set<std::int32_t>{103});
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
      rows[e.request] += e.logits.size() / 8;
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
  BOOST_TEST(s.remove(1));
  BOOST_TEST(!s.remove(1));
}

BOOST_AUTO_TEST_CASE(random_load_with_preemption_cancels_and_losses) {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int round = 0; round < 200; ++round) {
    auto l = limits_of(pick(1, 6), pick(16, 24));
    l.pools = pick(1, static_cast<int>(l.slots));
    runtime::scheduler s(l);
    fake_device device(l);
    std::map<request_id, outcome> outcomes;
    std::map<request_id, std::pair<int, int>> asked;
    std::set<request_id> cancelled;
    std::deque<std::shared_ptr<const step_plan>> under_way;
    request_id next = 1;
    for (int step = 0; step < 2000; ++step) {
      if (next <= 12 && pick(0, 2) == 0) {
        asked[next] = {pick(1, 40), pick(1, 30)};
        s.add(request_of(next, asked[next].first, asked[next].second));
        ++next;
      }
      if (pick(0, 40) == 0 && next > 1) {
        const auto id = static_cast<request_id>(pick(1, int(next) - 1));
        if (s.remove(id))
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
          outcomes[e.request].tokens.push_back(e.token->token);
          outcomes[e.request].finish = e.finish;
        }
        s.check_invariants();
      }
      if (next > 12 && s.waiting() + s.running() == 0)
        break;
    }
    BOOST_REQUIRE(s.waiting() + s.running() == 0u);
    BOOST_TEST(s.free_blocks() == l.blocks * l.pools);
    for (const auto &[id, sizes] : asked) {
      if (cancelled.contains(id))
        continue;
      const auto &got = outcomes[id];
      const int expected = std::min(sizes.second, 64 - sizes.first);
      BOOST_REQUIRE(got.tokens.size() == static_cast<std::size_t>(expected));
      for (int i = 0; i < expected; ++i)
        BOOST_REQUIRE(got.tokens[i] == sizes.first + i + 100);
      BOOST_TEST((got.finish == finish_reason::length));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
