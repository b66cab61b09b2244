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

BOOST_AUTO_TEST_CASE(small_models_take_one_thread_a_rank) {
  BOOST_TEST(threads_for(0, 2, 1 << 20) == 2);
  BOOST_TEST(threads_for(0, 2, 1 << 30) == 0);
  BOOST_TEST(threads_for(8, 2, 1 << 20) == 8);
}

BOOST_AUTO_TEST_SUITE_END()
