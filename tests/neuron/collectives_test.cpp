#include "neuron/collectives/lease_communicator.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <random>
#include <thread>

using namespace ganglion;
using namespace ganglion::neuron;

namespace {

constexpr std::size_t capacity = 300;

/// Runs work(rank) on a thread per rank and waits for all.
void on_ranks(int ranks, const std::function<void(int)> &work) {
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back(work, r);
  for (auto &t : threads)
    t.join();
}

/// What `rank` brings to a round; any rank can compute it.
std::vector<float> part_of(int rank, unsigned round, std::size_t count) {
  std::mt19937 random(round * 64 + static_cast<unsigned>(rank));
  std::vector<float> out(count);
  for (auto &x : out)
    x = std::ldexp(static_cast<float>(random()) / 4e9f - 0.5f,
                   static_cast<int>(random() % 24));
  return out;
}

std::size_t count_of(unsigned round) {
  return std::mt19937(round + 99)() % capacity;
}

std::vector<float> sum_in_rank_order(int ranks, unsigned round,
                                     std::size_t count) {
  std::vector<float> sum = part_of(0, round, count);
  for (int r = 1; r < ranks; ++r) {
    const auto part = part_of(r, round, count);
    for (std::size_t i = 0; i < count; ++i)
      sum[i] += part[i];
  }
  return sum;
}

std::vector<collective_status>
statuses(int ranks, const std::function<collective_status(int)> &work) {
  std::vector<collective_status> out(static_cast<std::size_t>(ranks));
  on_ranks(ranks, [&](int r) { out[static_cast<std::size_t>(r)] = work(r); });
  return out;
}

void all_are(const std::vector<collective_status> &got,
             collective_status want) {
  for (const auto s : got)
    BOOST_TEST((s == want), to_string(s) << " instead of " << to_string(want));
}

} // namespace

BOOST_AUTO_TEST_SUITE(collectives)

BOOST_DATA_TEST_CASE(sums_in_rank_order_over_thousands_of_rounds,
                     boost::unit_test::data::make({1, 2, 3, 4, 8}), ranks) {
  steady_clock time;
  lease_communicator group(ranks, capacity, {}, time);
  const unsigned rounds = 4000u / static_cast<unsigned>(ranks);
  std::atomic<int> wrong{0};
  std::atomic<std::uint64_t> floats{0};
  on_ranks(ranks, [&](int rank) {
    for (unsigned round = 0; round < rounds; ++round) {
      const auto count = count_of(round);
      const auto in = part_of(rank, round, count);
      std::vector<float> out(count);
      wrong += group.all_reduce(rank, round, in, out) != collective_status::ok;
      // Every rank checks its share of the rounds: sums cost more than rounds.
      if (static_cast<int>(round) % ranks == rank) {
        wrong += out != sum_in_rank_order(ranks, round, count);
        floats += count;
      }
    }
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST(group.statistics().all_reduces == rounds);
  BOOST_TEST(group.statistics().all_gathers == 0u);
  BOOST_TEST(group.statistics().floats == floats);
}

BOOST_DATA_TEST_CASE(gathers_columns_in_rank_order,
                     boost::unit_test::data::make({1, 2, 3, 4, 8}), ranks) {
  steady_clock time;
  lease_communicator group(ranks, capacity, {}, time);
  constexpr unsigned rounds = 500;
  std::atomic<int> wrong{0};
  on_ranks(ranks, [&](int rank) {
    for (unsigned round = 0; round < rounds; ++round) {
      const std::size_t rows = round % 5, width = 1 + round % 7;
      const auto in = part_of(rank, round, rows * width);
      std::vector<float> out(in.size() * static_cast<std::size_t>(ranks));
      wrong += group.all_gather(rank, round, static_cast<std::int64_t>(rows),
                                in, out) != collective_status::ok;
      for (int r = 0; r < ranks; ++r) {
        const auto part = part_of(r, round, in.size());
        for (std::size_t i = 0; i < part.size(); ++i)
          wrong += out[(i / width * static_cast<std::size_t>(ranks) +
                        static_cast<std::size_t>(r)) *
                           width +
                       i % width] != part[i];
      }
    }
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST(group.statistics().all_gathers == rounds);
}

/// Two groups of two among four ranks, which all meet.
BOOST_AUTO_TEST_CASE(groups_exchange_and_scatter_sums_of_columns) {
  steady_clock time;
  lease_communicator group(4, capacity, {}, time);
  constexpr std::size_t rows = 3, width = 8;
  std::atomic<int> wrong{0};
  on_ranks(4, [&](int rank) {
    const int members[] = {rank / 2 * 2, rank / 2 * 2 + 1};
    const std::vector<float> parts[] = {part_of(members[0], 1, rows * width),
                                        part_of(members[1], 1, rows * width)};
    const std::size_t first = static_cast<std::size_t>(rank % 2) * 4;
    neuron::column_pick pick{members, static_cast<std::int64_t>(first), 4};
    std::vector<float> side_by_side(rows * width), summed(rows * 4);
    wrong += group.take_columns(rank, 0, collective_kind::all_to_all, rows,
                                parts[rank % 2], pick,
                                side_by_side) != collective_status::ok;
    pick.summed = true;
    wrong += group.take_columns(rank, 1, collective_kind::reduce_scatter, rows,
                                parts[rank % 2], pick,
                                summed) != collective_status::ok;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < 4; ++i) {
        const float a = parts[0][r * width + first + i];
        const float b = parts[1][r * width + first + i];
        wrong += side_by_side[r * width + i] != a;
        wrong += side_by_side[r * width + 4 + i] != b;
        wrong += summed[r * 4 + i] != a + b;
      }
  });
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(both_kinds_in_turn) {
  steady_clock time;
  lease_communicator group(3, capacity, {}, time);
  std::atomic<int> wrong{0};
  on_ranks(3, [&](int rank) {
    for (unsigned round = 0; round < 1000; ++round) {
      const auto in = part_of(rank, round, 12);
      std::vector<float> sum(12), all(36);
      wrong +=
          group.all_reduce(rank, 2 * round, in, sum) != collective_status::ok;
      wrong += group.all_gather(rank, 2 * round + 1, 1, in, all) !=
               collective_status::ok;
      for (std::size_t i = 0; i < 12; ++i)
        wrong += sum[i] != all[i] + all[12 + i] + all[24 + i];
    }
  });
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(disagreement_reaches_every_rank) {
  steady_clock time;
  const std::vector<float> in(8, 1.0f);
  const std::function<collective_status(communicator &, int)> odd_ones[] = {
      [&](communicator &c, int r) { // sequence
        std::vector<float> out(8);
        return c.all_reduce(r, r == 1 ? 7 : 6, in, out);
      },
      [&](communicator &c, int r) { // kind
        std::vector<float> out(24);
        return r == 2 ? c.all_gather(r, 6, 1, in, out)
                      : c.all_reduce(r, 6, in, out);
      },
      [&](communicator &c, int r) { // count
        std::vector<float> out(8);
        return c.all_reduce(r, 6, {in.data(), r == 0 ? 4u : 8u}, out);
      },
  };
  for (const auto &odd : odd_ones) {
    lease_communicator group(3, capacity, {}, time);
    all_are(statuses(3, [&](int r) { return odd(group, r); }),
            collective_status::mismatched);
    // And so do all further calls, at once, even alone.
    std::vector<float> out(8);
    BOOST_TEST(
        (group.all_reduce(0, 8, in, out) == collective_status::mismatched));
    BOOST_TEST(group.statistics().all_reduces == 0u);
  }
}

BOOST_AUTO_TEST_CASE(abort_releases_those_who_wait) {
  steady_clock time;
  for (const int yields : {0, 1000000000}) { // parked, and not
    wait_policy policy;
    policy.yields = yields;
    lease_communicator group(4, capacity, policy, time);
    std::atomic<int> arriving{0};
    const auto got = statuses(4, [&](int r) {
      if (r == 3) {
        while (arriving < 3 || (yields == 0 && group.statistics().parks < 3))
          std::this_thread::yield();
        group.abort();
        return collective_status::aborted;
      }
      const std::vector<float> in(5);
      std::vector<float> out(20);
      ++arriving;
      return r == 0 ? group.all_reduce(r, 0, in, out)
                    : group.all_gather(r, 0, 1, in, out);
    });
    all_are(got, collective_status::aborted);
  }
}

BOOST_AUTO_TEST_CASE(abort_at_any_moment_ends_every_rank) {
  steady_clock time;
  for (unsigned turn = 0; turn < 200; ++turn) {
    lease_communicator group(3, capacity, {}, time);
    const auto got = statuses(4, [&](int r) {
      for (unsigned round = 0; r < 3; ++round) {
        // Memory that is gone as soon as the call returns.
        const auto in = part_of(r, round, 16);
        std::vector<float> out(48);
        const auto s = round % 2 ? group.all_gather(r, round, 2, in, out)
                                 : group.all_reduce(r, round, in, out);
        if (s != collective_status::ok)
          return s;
      }
      while (group.statistics().all_reduces + group.statistics().all_gathers <
             turn % 20)
        std::this_thread::yield();
      group.abort();
      return collective_status::aborted;
    });
    all_are(got, collective_status::aborted);
  }
}

BOOST_AUTO_TEST_CASE(a_rank_that_never_comes_times_out_on_the_injected_clock) {
  manual_clock time;
  wait_policy policy;
  policy.stall_limit = std::chrono::hours(1);
  lease_communicator group(3, capacity, policy, time);
  const auto got = statuses(3, [&](int r) {
    if (r == 2) {
      while (group.statistics().parks < 2)
        std::this_thread::yield();
      time.advance(std::chrono::minutes(61));
      return collective_status::timed_out;
    }
    const std::vector<float> in(5);
    std::vector<float> out(5);
    return group.all_reduce(r, 0, in, out);
  });
  all_are(got, collective_status::timed_out);
}

BOOST_AUTO_TEST_CASE(every_status_has_a_sentence) {
  for (const auto s :
       {collective_status::ok, collective_status::aborted,
        collective_status::mismatched, collective_status::timed_out})
    BOOST_TEST(std::string(to_string(s)) != "unknown");
}

BOOST_AUTO_TEST_SUITE_END()
