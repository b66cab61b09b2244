// A device without a model, whose tokens tell whether the scheduler's plans
// were right; and the requests and limits of tests that use it.
#pragma once

#include "runtime/generation/random.hpp"
#include "runtime/scheduling/scheduler.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

namespace ganglion::testing {

using namespace runtime;

inline scheduler_limits limits_of(std::int64_t slots, std::int64_t blocks) {
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

inline sequence_request request_of(request_id id, std::int64_t prompt,
                                   std::int64_t max_new) {
  sequence_request r;
  r.id.request = id;
  r.prompt.assign(static_cast<std::size_t>(prompt), 1);
  r.max_new_tokens = max_new;
  return r;
}

inline std::uint64_t chained(std::uint64_t before, std::int32_t token) {
  return mix_bits(before ^ static_cast<std::uint32_t>(token));
}

inline std::int32_t token_after(std::uint64_t chain) {
  return static_cast<std::int32_t>(100 + chain % 1000);
}

/// What a sequence alone would generate.
inline std::vector<std::int32_t> alone(const std::vector<std::int32_t> &prompt,
                                       std::int64_t max_new) {
  std::uint64_t chain = 0;
  for (const std::int32_t t : prompt)
    chain = chained(chain, t);
  std::vector<std::int32_t> out;
  for (std::int64_t i = 0; i < max_new; ++i) {
    out.push_back(token_after(chain));
    chain = chained(chain, out.back());
  }
  return out;
}

/// A device that answers every plan. Its cache holds, at each position, a
/// digest of all tokens up to there, made from the position before: so the
/// tokens it chooses are right only if every block a row sees is.
class fake_device {
public:
  explicit fake_device(const scheduler_limits &l)
      : limits_(l),
        caches_(static_cast<std::size_t>(l.pools),
                std::vector<std::uint64_t>(
                    static_cast<std::size_t>(l.blocks * l.block_positions), 0)),
        last_(static_cast<std::size_t>(l.slots), -7) {}

  step_result run(const step_plan &p) {
    step_result r;
    r.id = p.id;
    for (const auto &s : p.setups)
      last_[s.slot] = s.history->back();
    std::vector<std::uint64_t> chains;
    for (std::size_t i = 0; i < p.rows(); ++i)
      chains.push_back(write(p, i));
    for (const auto &want : p.logits) {
      const std::int32_t token = token_after(chains[want.row]);
      r.tokens.push_back({want.slot, token, logprob});
      if (want.guesses > 0 && !holds(p, want, r.tokens.end()[-2]))
        r.tokens.back().status = token_status::unreached;
      else
        last_[want.slot] = token;
    }
    r.nanoseconds = 1000 + static_cast<std::int64_t>(p.rows());
    return r;
  }

  float logprob = -0.5f;

private:
  /// Whether the guess that is the row of `want` was chosen before it.
  static bool holds(const step_plan &p, const logit_request &want,
                    const sampled_token &before) {
    BOOST_REQUIRE(before.slot == want.slot);
    return before.status == token_status::ok &&
           before.token == p.token_ids[want.row];
  }

  std::uint64_t write(const step_plan &p, std::size_t row) {
    const std::int32_t slot = p.row_slots[row], position = p.positions[row];
    BOOST_REQUIRE(p.write_slots[row] >= 0);
    BOOST_REQUIRE(p.context_lengths[slot] > position);
    auto &cache = caches_[static_cast<std::size_t>(slot % limits_.pools)];
    const auto place = [&](std::int32_t j) {
      const auto size = limits_.block_positions;
      return p.block_tables[slot * limits_.max_blocks + j / size] * size +
             j % size;
    };
    const std::int32_t token =
        p.token_ids[row] == last_sampled ? last_[slot] : p.token_ids[row];
    const std::uint64_t chain =
        chained(position == 0 ? 0 : cache[place(position - 1)], token);
    BOOST_REQUIRE(place(position) == p.write_slots[row]);
    return cache[p.write_slots[row]] = chain;
  }

  scheduler_limits limits_;
  std::vector<std::vector<std::uint64_t>> caches_;
  std::vector<std::int32_t> last_;
};

} // namespace ganglion::testing
