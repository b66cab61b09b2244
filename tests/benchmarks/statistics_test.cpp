// Medians, spread and percentiles.
#include "benchmarks/report/statistics.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion::benchmarks;

BOOST_AUTO_TEST_SUITE(statistics)

BOOST_AUTO_TEST_CASE(one_disturbed_sample_moves_no_median) {
  const figure f = summarise({5, 4, 6, 5, 1000});
  BOOST_TEST(f.median == 5);
  BOOST_TEST(f.low == 4);
  BOOST_TEST(f.high == 1000);
  BOOST_TEST(f.deviation == 1);
  BOOST_TEST(f.samples == 5u);
}

BOOST_AUTO_TEST_CASE(no_samples_are_all_zeros) {
  const figure f = summarise({});
  BOOST_TEST(f.samples == 0u);
  BOOST_TEST(f.median == 0);
  BOOST_TEST(percentile({}, 0.5) == 0);
}

BOOST_AUTO_TEST_CASE(percentiles_lie_between_neighbours) {
  BOOST_TEST(percentile({3, 1, 2}, 0) == 1);
  BOOST_TEST(percentile({3, 1, 2}, 1) == 3);
  BOOST_TEST(percentile({4, 1, 2, 3}, 0.5) == 2.5);
  BOOST_TEST(percentile({7}, 0.99) == 7);
}

BOOST_AUTO_TEST_CASE(times_become_rates) {
  const auto rates = inverted({2, 4, 0}, 8);
  BOOST_TEST(rates == (std::vector<double>{4, 2, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
