#include "neuron/cpu/thread_team.hpp"
#include "neuron/kernels/kernels.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <numeric>
#include <set>

#include <sched.h>

using namespace ganglion::neuron;

BOOST_AUTO_TEST_SUITE(thread_team)

BOOST_DATA_TEST_CASE(every_member_runs_once_per_round,
                     boost::unit_test::data::make({1, 2, 3, 5}) *
                         boost::unit_test::data::make({true, false}),
                     size, spin) {
  ganglion::neuron::thread_team team(size, {}, spin && size <= 2);
  BOOST_TEST(team.size() == size);
  std::vector<int> runs(static_cast<std::size_t>(size));
  constexpr int rounds = 300;
  for (int i = 0; i < rounds; ++i)
    team.run([&](int member) { ++runs[static_cast<std::size_t>(member)]; });
  for (const int n : runs)
    BOOST_TEST(n == rounds);
}

BOOST_AUTO_TEST_CASE(the_caller_is_member_0_and_the_others_stay_the_same) {
  ganglion::neuron::thread_team team(3, {}, false);
  std::vector<std::thread::id> first(3), again(3);
  team.run([&](int m) {
    first[static_cast<std::size_t>(m)] = std::this_thread::get_id();
  });
  team.run([&](int m) {
    again[static_cast<std::size_t>(m)] = std::this_thread::get_id();
  });
  BOOST_TEST((first == again));
  BOOST_TEST((first[0] == std::this_thread::get_id()));
  BOOST_TEST(std::set(first.begin(), first.end()).size() == 3u);
}

BOOST_DATA_TEST_CASE(nobody_passes_a_barrier_before_all_arrived,
                     boost::unit_test::data::make({1, 2, 3, 4}), size) {
  ganglion::neuron::thread_team team(size, {}, false);
  constexpr int barriers = 500;
  std::vector<int> seen(static_cast<std::size_t>(size));
  std::atomic<int> early{0};
  team.run([&](int member) {
    for (int i = 1; i <= barriers; ++i) {
      seen[static_cast<std::size_t>(member)] = i; // no atomics: barriers order
      team.barrier();
      early += std::accumulate(seen.begin(), seen.end(), 0) != i * size;
      team.barrier();
    }
  });
  BOOST_TEST(early == 0);
}

BOOST_AUTO_TEST_CASE(a_team_that_never_ran_ends) {
  for (int i = 0; i < 50; ++i)
    BOOST_TEST(ganglion::neuron::thread_team(3, {}, i % 2 == 0).size() == 3);
}

BOOST_AUTO_TEST_CASE(members_are_pinned_where_asked) {
  const auto cpus = allowed_cpus();
  BOOST_TEST(!cpus.empty());
  ganglion::neuron::thread_team team(2, {cpus.front(), cpus.back()}, false);
  std::atomic<int> allowed{-1};
  team.run([&](int member) {
    if (member == 0)
      return;
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    allowed = CPU_COUNT(&set) == 1 && CPU_ISSET(cpus.back(), &set);
  });
  BOOST_TEST(allowed == 1);
}

BOOST_AUTO_TEST_CASE(shares_cover_everything_once) {
  for (const std::int64_t n : {0, 1, 5, 64, 1000})
    for (const std::int64_t parts : {1, 2, 3, 7}) {
      std::int64_t next = 0;
      for (std::int64_t part = 0; part < parts; ++part) {
        const auto mine = range_of(n, {part, parts});
        BOOST_TEST(mine.begin == next);
        BOOST_TEST(mine.end >= mine.begin);
        next = mine.end;
      }
      BOOST_TEST(next == n);
    }
}

BOOST_AUTO_TEST_SUITE_END()
