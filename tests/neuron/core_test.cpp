#include "hlo/support/error.hpp"
#include "neuron/core.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::neuron;

BOOST_AUTO_TEST_SUITE(core)

BOOST_AUTO_TEST_CASE(reservations_add_up_and_come_back) {
  neuron::core c(3, 1000);
  BOOST_TEST(c.id() == 3);
  BOOST_TEST(c.budget() == 1000u);
  c.reserve({{"weights", 600}, {"KV cache", 100}});
  c.reserve({{"activations", 300}});
  BOOST_TEST(c.reserved() == 1000u);
  BOOST_TEST(c.reservations().size() == 3u);
  BOOST_TEST(c.reservations()[1].what == "KV cache");
  c.release();
  BOOST_TEST(c.reserved() == 0u);
}

BOOST_AUTO_TEST_CASE(over_budget_names_the_parts_and_takes_nothing) {
  neuron::core c(1, 4096);
  c.reserve({{"weights", 1024}});
  try {
    c.reserve({{"KV cache", 3072}, {"activations", 512}});
    BOOST_FAIL("went over the budget");
  } catch (const error &e) {
    BOOST_TEST((e.code() == error_code::out_of_memory));
    BOOST_TEST(e.where() == "core 1");
    const std::string text = e.what();
    for (const char *part :
         {"4.5 KiB", "4.0 KiB", "KV cache 3.0 KiB", "activations 512 B",
          "tensor_parallel_degree", "n_positions"})
      BOOST_TEST(text.find(part) != std::string::npos,
                 text << " lacks " << part);
  }
  BOOST_TEST(c.reserved() == 1024u);
}

BOOST_AUTO_TEST_CASE(bytes_for_people) {
  BOOST_TEST(human_bytes(0) == "0 B");
  BOOST_TEST(human_bytes(1023) == "1023 B");
  BOOST_TEST(human_bytes(1536) == "1.5 KiB");
  BOOST_TEST(human_bytes(std::size_t{16} << 30) == "16.0 GiB");
  BOOST_TEST(human_bytes(std::size_t{5} << 52) == "20480.0 TiB");
}

BOOST_AUTO_TEST_SUITE_END()
