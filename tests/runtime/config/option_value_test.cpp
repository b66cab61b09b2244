#include "runtime/config/option_table.hpp"
#include "runtime/config/option_value.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

const option_spec whole{.name = "n",
                        .kind = option_kind::integer,
                        .least = 1,
                        .most = 8,
                        .synonyms = {{"max", "8"}}};
const option_spec word{.name = "w",
                       .kind = option_kind::choice,
                       .choices = {"f32", "f16"},
                       .synonyms = {{"fp32", "f32"}}};
const option_spec number{.name = "r", .kind = option_kind::real, .least = 0};
const option_spec flag{.name = "f", .kind = option_kind::boolean};
const option_spec list{
    .name = "l", .kind = option_kind::integer_list, .least = 0};

template <class T>
bool gives(const option_spec &spec, const char *text, const T &wanted) {
  return parse_option(spec, text, "here", "k") == option_value(wanted);
}

std::string failure(const option_spec &spec, const char *text) {
  return error_text([&] { parse_option(spec, text, "here", "k"); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(option_value)

BOOST_AUTO_TEST_CASE(reads_each_kind) {
  BOOST_TEST(gives(whole, " 8 ", std::int64_t{8}));
  BOOST_TEST(gives(whole, "MAX", std::int64_t{8}));
  BOOST_TEST(gives(word, "FP32", std::string("f32")));
  BOOST_TEST(gives(word, "f16", std::string("f16")));
  BOOST_TEST(gives(number, "0.25", 0.25));
  BOOST_TEST(gives(number, "3", 3.0));
  BOOST_TEST(gives(flag, "True", true));
  BOOST_TEST(gives(flag, "0", false));
  BOOST_TEST(gives(list, "1, 2,30", std::vector<std::int64_t>{1, 2, 30}));
  BOOST_TEST(gives(list, "", std::vector<std::int64_t>{}));
  BOOST_TEST(gives(option_spec{}, " a ", std::string(" a ")));
}

BOOST_AUTO_TEST_CASE(says_what_is_accepted) {
  BOOST_TEST(failure(whole, "9") ==
             "invalid_argument: here: k: '9' is not acceptable; expected a "
             "whole number from 1 to 8 or max");
  BOOST_TEST(contains(failure(word, "f8"), "one of f32, f16; also fp32"));
  BOOST_TEST(contains(failure(number, "-1"), "a number, at least 0"));
  BOOST_TEST(contains(failure(flag, "yes"), "true or false"));
  BOOST_TEST(contains(failure(list, "1,x"), "separated by commas"));
}

BOOST_AUTO_TEST_CASE(refuses_what_only_begins_well) {
  for (const char *text :
       {"", "x", "1x", "1.5", "0", "-1", "0x2", "1 2", "99999999999999999999"})
    BOOST_TEST(failure(whole, text) != "no error", text);
  for (const char *text : {"", "nan", "1.5s", "inf", "1e999", "-0.1"})
    BOOST_TEST(failure(number, text) != "no error", text);
  for (const char *text : {",", "1,", "1,,2", "1;2", "-1", "1 2"})
    BOOST_TEST(failure(list, text) != "no error", text);
}

BOOST_AUTO_TEST_CASE(every_row_of_the_table_is_sound) {
  std::vector<std::string_view> seen;
  for (const auto &spec : engine_options()) {
    BOOST_TEST(!spec.help.empty(), spec.name);
    if (!spec.fallback.empty())
      BOOST_CHECK_NO_THROW(parse_option(spec, spec.fallback, "", ""));
    for (const auto &[synonym, value] : spec.synonyms)
      BOOST_CHECK_NO_THROW(parse_option(spec, value, "", ""));
    if (spec.scope == option_scope::ignored)
      BOOST_TEST(!spec.ignored.empty(), spec.name);
    auto names = spec.aliases;
    names.push_back(spec.name);
    for (const auto name : names) {
      BOOST_TEST(find_option(engine_options(), name) == &spec, name);
      BOOST_TEST(std::ranges::count(seen, name) == 0, name);
      seen.push_back(name);
    }
  }
}

BOOST_AUTO_TEST_CASE(values_may_be_refused_or_noted) {
  const option_spec mode{.name = "mode",
                         .kind = option_kind::choice,
                         .choices = {"a", "b"},
                         .ignored = {{"b", "is a"}},
                         .refused = {{"c", "is gone"}}};
  BOOST_TEST(failure(mode, " C ") ==
             "unsupported: here: k: 'C' is refused: is gone; accepted: one "
             "of a, b");
  BOOST_TEST(note_on(mode.ignored, "B")->text == "is a");
  BOOST_TEST(note_on(mode.ignored, "a") == nullptr);
  const option_spec never{.name = "x", .refused = {{"*", "is not built"}}};
  BOOST_TEST(contains(failure(never, "1"),
                      "'1' is refused: is not built; accepted: to leave it "
                      "out"));
  const option_spec key{
      .name = "key", .kind = option_kind::integer, .secret = true};
  BOOST_TEST(contains(failure(key, "hush"), "'***' is not acceptable"));
}

BOOST_AUTO_TEST_CASE(finds_and_guesses_names) {
  const auto &table = engine_options();
  BOOST_TEST(find_option(table, "tp-degree")->name == "tensor_parallel_degree");
  BOOST_TEST(find_option(table, "tp_degrees") == nullptr);
  BOOST_TEST(nearest_option(table, "tp_degrees") == "tp_degree");
  BOOST_TEST(nearest_option(table, "n-position") == "n_positions");
  BOOST_TEST(nearest_option(table, "dtpye") == "dtype");
  BOOST_TEST(nearest_option(table, "entrypiont") == "entrypoint");
  BOOST_TEST(nearest_option(table, "colour_of_answers") == "");
  BOOST_TEST(nearest_option(table, std::string(100000, 'x')) == "");
}

BOOST_AUTO_TEST_SUITE_END()
