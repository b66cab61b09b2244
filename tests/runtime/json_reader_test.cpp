#include "hlo/support/error.hpp"
#include "runtime/json/reader.hpp"
#include "runtime/json/writer.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;

BOOST_AUTO_TEST_SUITE(json_reader)

BOOST_AUTO_TEST_CASE(reads_typed_values) {
  const auto document = json::document::parse(
      R"({"a": 1, "b": {"c": [1.5, "x", true]}, "n": null})", "test");
  const auto root = document.root();
  BOOST_TEST(root.at("a").as_int() == 1);
  BOOST_TEST(root.at("b").at("c").items()[0].as_double() == 1.5);
  BOOST_TEST(root.get_int("n", 7) == 7);
  BOOST_TEST(root.at("b").dump() == R"({"c":[1.5,"x",true]})");
}

BOOST_AUTO_TEST_CASE(names_the_field_that_is_wrong) {
  const auto document = json::document::parse(R"({"b": {"c": "x"}})", "conf");
  try {
    document.root().at("b").at("c").as_int();
    BOOST_FAIL("no error");
  } catch (const error &e) {
    BOOST_TEST(e.field() == "b.c");
    BOOST_TEST(e.describe() ==
               "conf: b.c: expected an integer, found a string");
  }
  BOOST_CHECK_THROW(json::document::parse("{", "conf"), error);
  BOOST_CHECK_THROW(document.root().at("missing"), error);
}

BOOST_AUTO_TEST_CASE(writes_python_style) {
  json::writer w;
  w.begin_object().key("a").integer(1).key("b").begin_array();
  w.real(1).null().string("é\n\"").end_array().end_object();
  BOOST_TEST(w.text() == "{\"a\": 1, \"b\": [1.0, null, \"é\\n\\\"\"]}");
}

BOOST_AUTO_TEST_SUITE_END()
