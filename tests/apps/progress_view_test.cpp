// Progress of long work: a line that is rewritten, or nothing but the log.
#include "apps/cli/progress_view.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace ganglion;
using view = apps::progress_view;

BOOST_AUTO_TEST_SUITE(progress_view)

BOOST_AUTO_TEST_CASE(rewrites_one_line_on_a_terminal) {
  std::ostringstream out;
  const manual_clock time;
  view shown(out, true, time);
  shown.report({"load weights", 0});
  shown.report({"load weights", 0.5});
  shown.report({"load weights", 0.501}); // looks the same: not written again
  BOOST_TEST(out.str() ==
             "\r\033[Kload weights [..............................] 0%"
             "\r\033[Kload weights [###############...............] 50%");
  shown.finish();
  BOOST_TEST(out.str().ends_with("50%\r\033[K"));
  shown.report({"load weights", 1});
  BOOST_TEST(out.str().ends_with("50%\r\033[K"));
}

BOOST_AUTO_TEST_CASE(writes_nothing_itself_elsewhere) {
  std::ostringstream out;
  const manual_clock time;
  {
    view shown(out, false, time);
    shown.report({"load weights", 0.5});
  }
  BOOST_TEST(out.str() == "");
}

BOOST_AUTO_TEST_SUITE_END()
