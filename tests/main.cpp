// The entry point shared by all test programs.
#define BOOST_TEST_MODULE ganglion
#include <boost/test/unit_test.hpp>
