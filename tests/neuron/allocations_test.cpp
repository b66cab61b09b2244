// A step takes no memory from the heap: counted by the test program's own
// allocation functions.
#include "neuron/collectives/lease_communicator.hpp"
#include "tests/neuron/heap_calls.hpp"
#include "tests/neuron/step_case.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// Allocations of twenty runs on every rank, after a first one.
long allocations_of(const step_case &c, int threads) {
  const auto degree = static_cast<int>(c.options.sharding.tp_degree);
  const auto code =
      neuron::compile(*c.step.graph, {neuron::available_isas().back()});
  steady_clock time;
  neuron::lease_communicator group(degree, 1 << 14, {}, time);
  std::atomic<int> ready{0};
  std::atomic<int> finished{0};
  std::atomic<long> counted_runs{0};
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < degree; ++rank)
    ranks.emplace_back([&, rank] {
      bound_program p(code, c.arguments(mixed_steps()[0], rank));
      neuron::thread_team team(threads, {}, false);
      run_settings s;
      s.live_tokens = s.live_logits = 3;
      s.rank = rank;
      s.group = degree > 1 ? &group : nullptr;
      p.run(team, s);
      // Nobody counts before all are set up, or tears down before all counted.
      for (++ready; ready < degree;)
        std::this_thread::yield();
      const long before = heap_calls();
      for (int i = 0; i < 20; ++i)
        p.run(team, s);
      counted_runs += heap_calls() - before;
      for (++finished; finished < degree;)
        std::this_thread::yield();
    });
  for (auto &t : ranks)
    t.join();
  return counted_runs;
}

} // namespace

BOOST_AUTO_TEST_SUITE(allocations)

BOOST_AUTO_TEST_CASE(the_count_counts) {
  const long before = heap_calls();
  const auto one = std::make_unique<int>(1);
  const std::vector<double> two(100);
  BOOST_TEST(heap_calls() == before + (heap_calls_are_counted ? 2 : 0));
}

BOOST_DATA_TEST_CASE(a_step_allocates_nothing,
                     boost::unit_test::data::make(std::vector<std::string>{
                         "llama", "gpt2"}) *
                         boost::unit_test::data::make({1, 2}) *
                         boost::unit_test::data::make({1, 2}),
                     model, tp_degree, threads) {
  const step_case c(model, hlo::element_type::bf16, tp_degree);
  BOOST_TEST(allocations_of(c, threads) == 0);
}

BOOST_DATA_TEST_CASE(experts_allocate_nothing,
                     boost::unit_test::data::make({1, 2}) *
                         boost::unit_test::data::make({1, 2}),
                     tp_degree, threads) {
  for (const auto &sharding :
       {hlo::sharding_options{tp_degree}, whole_experts(tp_degree)}) {
    const step_case c("mixtral", hlo::element_type::bf16, sharding);
    BOOST_TEST(allocations_of(c, threads) == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
