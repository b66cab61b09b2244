#include "runtime/shard/thread_plan.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion::runtime;

BOOST_AUTO_TEST_SUITE(thread_plan)

BOOST_AUTO_TEST_CASE(divides_cpus_between_ranks) {
  const auto p = plan_threads(2, 0, {0, 1, 2, 3});
  BOOST_TEST(p.threads_per_rank == 2);
  BOOST_TEST(p.exclusive);
  BOOST_TEST(p.cpus_of(1) == (std::vector<int>{2, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(more_ranks_than_cpus_share_them) {
  const auto p = plan_threads(4, 0, {0, 1});
  BOOST_TEST(p.threads_per_rank == 1);
  BOOST_TEST(!p.exclusive);
  BOOST_TEST(p.cpus_of(3).empty());
}

BOOST_AUTO_TEST_CASE(ranks_may_have_a_limit) {
  const std::vector<int> cpus{0, 1, 2, 3, 4, 5, 6, 7};
  BOOST_TEST(plan_threads(2, 0, cpus, 2).threads_per_rank == 2);
  BOOST_TEST(plan_threads(8, 0, cpus, 2).threads_per_rank == 1);
  BOOST_TEST(plan_threads(2, 8, cpus, 2).threads_per_rank == 4); // asked for
}

BOOST_AUTO_TEST_CASE(cores_have_their_share_of_the_cpus) {
  const std::vector<int> cpus{4, 5, 6, 7};
  const auto share = [&](const std::vector<std::int64_t> &visible,
                         std::int64_t cores) {
    std::string out;
    for (const int cpu : cpus_of_cores(visible, cores, cpus))
      out += std::to_string(cpu);
    return out;
  };
  BOOST_TEST(share({}, 2) == "4567");
  BOOST_TEST(share({1, 3}, 4) == "57");
  BOOST_TEST(share({1}, 2) == "67");
  BOOST_TEST(share({0, 1, 2}, 8) == "45"); // two cores to a CPU
  BOOST_TEST(share({7}, 8) == "7");
}

BOOST_AUTO_TEST_CASE(small_models_take_one_thread_a_rank) {
  BOOST_TEST(threads_for(0, 2, 1 << 20) == 2);
  BOOST_TEST(threads_for(0, 2, 1 << 30) == 0);
  BOOST_TEST(threads_for(8, 2, 1 << 20) == 8);
}

BOOST_AUTO_TEST_SUITE_END()
