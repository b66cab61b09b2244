#include "hlo/support/histogram.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(histogram)

BOOST_AUTO_TEST_CASE(a_bound_belongs_to_its_bucket) {
  ganglion::histogram h{.001, .01, .1};
  for (const auto value : {0us, 999us, 1'000us, 1'001us, 100'000us, 100'001us})
    h.observe(value);
  const auto reading = h.read();
  BOOST_TEST(reading.bounds == (std::vector<double>{.001, .01, .1}),
             boost::test_tools::per_element());
  BOOST_TEST(reading.counts == (std::vector<std::uint64_t>{3, 1, 1, 1}),
             boost::test_tools::per_element());
  BOOST_TEST(reading.count() == 6u);
  BOOST_TEST(reading.sum == .203001, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(threads_lose_nothing) {
  ganglion::histogram h{.5};
  constexpr int each = 10'000;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < each; ++n)
        h.observe(n % 2 == 0 ? 1ms : 1s);
    });
  for (auto &thread : threads)
    thread.join();
  BOOST_TEST(h.read().counts ==
                 (std::vector<std::uint64_t>{2 * each, 2 * each}),
             boost::test_tools::per_element());
  BOOST_TEST(h.read().sum == 2 * each * 1.001,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
