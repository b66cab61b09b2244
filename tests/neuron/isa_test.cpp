#include "hlo/support/error.hpp"
#include "neuron/cpu/isa.hpp"
#include "neuron/kernels/kernels.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>

using namespace ganglion;
using namespace ganglion::neuron;

BOOST_AUTO_TEST_SUITE(isa)

BOOST_AUTO_TEST_CASE(portable_comes_first_and_is_always_there) {
  const auto sets = available_isas();
  BOOST_REQUIRE(!sets.empty());
  BOOST_TEST((sets.front() == neuron::isa::portable));
  BOOST_TEST(std::is_sorted(sets.begin(), sets.end()));
}

BOOST_AUTO_TEST_CASE(each_set_has_its_own_kernels) {
  for (const auto set : available_isas())
    BOOST_TEST((kernels_for(set).set == set));
}

BOOST_AUTO_TEST_CASE(names_choose) {
  for (const auto set : available_isas())
    BOOST_TEST((isa_named(to_string(set)) == set));
  BOOST_TEST((isa_named("") == available_isas().back()));
}

BOOST_AUTO_TEST_CASE(unknown_names_are_refused_with_the_list) {
  for (const char *name : {"avx", "AVX2", "sse4", " ", "portable "})
    BOOST_CHECK_EXCEPTION(isa_named(name), error, [&](const error &e) {
      return e.code() == error_code::invalid_argument &&
             e.field() == "GANGLION_ISA" &&
             std::string(e.what()).find(name) != std::string::npos &&
             std::string(e.what()).find("portable") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(the_selection_follows_the_environment) {
  const char *named = std::getenv("GANGLION_ISA");
  BOOST_TEST((selected_isa() == isa_named(named ? named : "")));
}

BOOST_AUTO_TEST_SUITE_END()
