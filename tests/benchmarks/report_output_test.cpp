// Tables as text and as JSON.
#include "benchmarks/report/report.hpp"
#include "runtime/json/reader.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::benchmarks;

namespace {

report sample() {
  report r{"two cores", "ganglion-bench step", {}};
  r.tables.push_back(
      {"a table",
       "How it was made.",
       {{"phase"}, {"time", "ms"}, {"count"}},
       {{std::string("decode"), summarise({1, 2, 3}), std::int64_t{7}}}});
  return r;
}

} // namespace

BOOST_AUTO_TEST_SUITE(report_output)

BOOST_AUTO_TEST_CASE(text_has_machine_command_and_aligned_columns) {
  BOOST_TEST(as_text(sample()) == "machine: two cores\n"
                                  "command: ganglion-bench step\n"
                                  "\na table\nHow it was made.\n\n"
                                  "phase   time [ms]         count\n"
                                  "decode  2.00 (1.00-3.00)  7\n");
}

BOOST_AUTO_TEST_CASE(long_sentences_break_at_spaces) {
  report r = sample();
  r.tables[0].how = std::string(60, 'a') + " " + std::string(60, 'b');
  const auto expected =
      std::string(60, 'a') + "\n" + std::string(60, 'b') + "\n";
  BOOST_TEST(as_text(r).find(expected) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(json_holds_median_and_spread) {
  const auto parsed = json::document::parse(as_json(sample()), "report");
  BOOST_TEST(parsed.root().at("machine").as_string() == "two cores");
  const auto table = parsed.root().at("tables").items().at(0);
  BOOST_TEST(table.at("columns").items().at(1).at("unit").as_string() == "ms");
  const auto row = table.at("rows").items().at(0);
  BOOST_TEST(row.at("phase").as_string() == "decode");
  BOOST_TEST(row.at("count").as_int() == 7);
  BOOST_TEST(row.at("time").at("median").as_double() == 2);
  BOOST_TEST(row.at("time").at("low").as_double() == 1);
  BOOST_TEST(row.at("time").at("samples").as_int() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
