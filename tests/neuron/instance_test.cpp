#include "neuron/instance.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::neuron;

namespace {

/// The degrees from 1 to 32 that a profile permits.
std::vector<std::int64_t> permitted(const std::string &name) {
  std::vector<std::int64_t> out;
  for (std::int64_t d = 1; d <= 32; ++d)
    try {
      check_tp_degree(profile_of(name), d);
      out.push_back(d);
    } catch (const error &e) {
      BOOST_TEST((e.code() == error_code::invalid_argument));
      BOOST_TEST(e.field() == "tensor_parallel_degree");
    }
  return out;
}

using degrees = std::vector<std::int64_t>;

} // namespace

BOOST_AUTO_TEST_SUITE(instance)

BOOST_AUTO_TEST_CASE(degrees_of_the_families) {
  BOOST_TEST((permitted("trn1") == degrees{1, 2, 8, 32}));
  BOOST_TEST((permitted("inf2") == degrees{1, 2, 4, 8, 24}));
  BOOST_TEST((permitted("inf2.24xlarge") == degrees{1, 2, 4, 8}));
  BOOST_TEST((permitted("trn1.2xlarge") == degrees{1, 2}));
  BOOST_TEST(permitted("host").size() == 32u);
}

BOOST_AUTO_TEST_CASE(no_profile_has_a_degree_above_its_cores) {
  for (const char *name :
       {"trn1.2xlarge", "trn1.32xlarge", "trn1", "inf2.xlarge", "inf2.8xlarge",
        "inf2.24xlarge", "inf2.48xlarge", "inf2"})
    for (const auto d : profile_of(name).tp_degrees)
      BOOST_TEST(d <= profile_of(name).cores);
}

BOOST_AUTO_TEST_CASE(degrees_below_one_are_refused_everywhere) {
  for (const std::int64_t d : {0, -1})
    BOOST_CHECK_THROW(check_tp_degree(profile_of("host"), d), error);
}

BOOST_AUTO_TEST_CASE(a_refusal_lists_what_is_accepted) {
  BOOST_CHECK_EXCEPTION(
      check_tp_degree(profile_of("trn1"), 4), error, [](const error &e) {
        return std::string(e.what()).find("1, 2, 8, 32") != std::string::npos;
      });
  BOOST_CHECK_EXCEPTION(profile_of("p4d"), error, [](const error &e) {
    return e.field() == "instance" &&
           std::string(e.what()).find("inf2.48xlarge") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(budgets) {
  constexpr std::size_t gib = std::size_t{1} << 30;
  BOOST_TEST(core_budget(profile_of("trn1"), 32) == 16 * gib);
  const auto one = core_budget(profile_of("host"), 1);
  BOOST_TEST(one <= 16 * gib);
  BOOST_TEST(core_budget(profile_of("host"), 1024) <= one);
  BOOST_TEST(core_budget(profile_of("host"), 1024) > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
