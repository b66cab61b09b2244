#include "runtime/checkpoint/unpickler.hpp"
#include "tests/runtime/checkpoint/torch_archive.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// `body` between a protocol and the end.
std::string protocol2(const std::string &body) {
  return "\x80\x02" + body + ".";
}

runtime::pickle read(const std::string &bytes) {
  return runtime::unpickle(std::as_bytes(std::span(bytes)), "p");
}

/// Text values borrow the pickle's bytes, which are kept to the end.
template <class Kind>
Kind value_of(const std::string &body) {
  static std::deque<std::string> kept;
  kept.push_back(protocol2(body));
  const auto out = read(kept.back());
  const auto *value = out.get<Kind>(out.root);
  BOOST_REQUIRE(value != nullptr);
  return *value;
}

std::string error_of(const std::string &body) {
  return error_text([&] { read(protocol2(body)); });
}

void check_refused(const std::string &body, const std::string &reason) {
  const auto text = error_of(body);
  BOOST_TEST(text.starts_with("unsupported: p: data.pkl: "), text);
  BOOST_TEST(contains(text, reason), text << " lacks " << reason);
}

void check_corrupt(const std::string &body, const std::string &reason) {
  const auto text = error_of(body);
  BOOST_TEST(text.starts_with("corrupt_data: p: data.pkl: "), text);
  BOOST_TEST(contains(text, reason), text << " lacks " << reason);
}

} // namespace

BOOST_AUTO_TEST_SUITE(unpickler)

BOOST_AUTO_TEST_CASE(numbers_and_truth) {
  BOOST_TEST(value_of<std::int64_t>("K\xff") == 255);
  BOOST_TEST(value_of<std::int64_t>("M\x01\x02") == 0x201);
  BOOST_TEST(value_of<std::int64_t>("J\xfe\xff\xff\xff") == -2);
  BOOST_TEST(value_of<std::int64_t>("\x8a\x00"s) == 0);
  BOOST_TEST(value_of<std::int64_t>("\x8a\x01\xff") == -1);
  BOOST_TEST(value_of<std::int64_t>("\x8a\x02\xff\x00"s) == 255);
  BOOST_TEST(value_of<std::int64_t>(number_of(-5)) == -5);
  BOOST_TEST(value_of<double>("G\x3f\xf8\0\0\0\0\0\0"s) == 1.5);
  BOOST_TEST(value_of<bool>("\x88"));
  BOOST_TEST(!value_of<bool>("\x89"));
  value_of<runtime::pickle_none>("N");
}

BOOST_AUTO_TEST_CASE(memo_and_containers) {
  BOOST_TEST(value_of<runtime::pickle_tuple>("(K\1q\0h\0h\0t"s).items ==
                 (std::vector<runtime::pickle_ref>{0, 0, 0}),
             boost::test_tools::per_element());
  BOOST_TEST(value_of<runtime::pickle_list>("]K\1a(K\2K\3e").items.size() ==
             3u);
  BOOST_TEST(value_of<runtime::pickle_dict>("}K\1K\2s(K\3K\4u").items.size() ==
             2u);
  BOOST_TEST(value_of<std::string_view>("\x8c\2hi") == "hi");
}

BOOST_AUTO_TEST_CASE(functions_are_refused_by_name) {
  const std::string call = "(" + text_of("touch pwned") + "tR";
  for (const auto &[module, name] : {std::pair("os", "system"),
                                     {"posix", "system"},
                                     {"builtins", "eval"},
                                     {"__builtin__", "exec"},
                                     {"subprocess", "Popen"},
                                     {"torch", "load"},
                                     {"torch._utils", "_rebuild_tensor"},
                                     {"runpy", "_run_code"}}) {
    const auto text =
        "pickle calls " + std::string(module) + "." + name + ": refused";
    check_refused(global_of(module, name) + call, text);
    check_refused(text_of(module) + text_of(name) + "\x93" + call, text);
    // Even where it is only mentioned.
    check_refused("}" + text_of("a") + global_of(module, name) + "s", text);
  }
  check_refused(global_of("os\x1b[31m", std::string(500, 'x')),
                "pickle calls os?[31m." + std::string(60, 'x') + ": refused");
}

BOOST_AUTO_TEST_CASE(types_are_not_called) {
  check_refused(global_of("torch", "FloatStorage") + ")R",
                "pickle calls torch.FloatStorage: refused");
  check_refused(global_of("torch", "float32") + ")R",
                "pickle calls torch.float32: refused");
  check_corrupt(text_of("os.system") + ")R", "the name of a function");
  check_corrupt(global_of("collections", "OrderedDict") + "(]tR",
                "made with arguments");
  check_corrupt(global_of("collections", "OrderedDict") + "]R",
                "expected arguments");
}

BOOST_AUTO_TEST_CASE(opcodes_that_make_objects_are_refused_by_name) {
  check_refused("(ios\nsystem\n", "opcode INST: refused");
  check_refused("(" + text_of("x") + "o", "opcode OBJ: refused");
  check_refused(global_of("collections", "OrderedDict") + ")\x81", "NEWOBJ");
  check_refused("))}\x92", "NEWOBJ_EX");
  check_refused("\x82\x01", "EXT1");
  check_refused("Pname\n", "PERSID");
  check_refused("\x8f", "opcode 143: refused"); // sets: not in state dicts
  check_corrupt("]}b", "attributes only for an OrderedDict");
  check_corrupt("}]b", "attributes as a dict");
}

BOOST_AUTO_TEST_CASE(the_stack_is_checked) {
  for (const char *body : {"", "0", "a", "]a", "s", "}s", "R", "b", "Q", "q\1",
                           "\x94", "\x85", "\x87", "(0", "K\1(\x85", "\x93"})
    check_corrupt(body, "a value is missing");
  for (const char *body : {"t", "e", "u", "1"})
    check_corrupt(body, "a mark is missing");
  check_corrupt("}(K\1u", "a key has no value");
  check_corrupt("K\1K\2", "left over");
  check_corrupt("(K\1", "left over");
  check_corrupt("h\x05", "nothing was remembered as 5");
  check_corrupt("j\xff\xff\xff\xff", "nothing was remembered as 4294967295");
  check_corrupt("K\1K\2a", "expected a list");
  check_corrupt("]K\1K\2s", "expected a dict");
}

BOOST_AUTO_TEST_CASE(lengths_are_checked) {
  check_corrupt("X\xff\xff\xff\xff", "4294967295 bytes wanted");
  check_corrupt("\x8d\xff\xff\xff\xff\xff\xff\xff\xff",
                "18446744073709551615 bytes wanted");
  check_corrupt("\x8a\x09", "a number of 9 bytes");
  check_corrupt("\x8b\xff\xff\xff\x7f", "a number of 2147483647 bytes");
  check_corrupt("cos", "bytes wanted");
  const auto whole = protocol2("(" + text_of("name") + number_of(3) + "t");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto text = error_text([&] { read(whole.substr(0, size)); });
    BOOST_TEST(text.starts_with("corrupt_data: p: data.pkl"), text);
  }
}

BOOST_AUTO_TEST_CASE(protocols_are_checked) {
  for (const std::string &start : {"}."s, "\x80\x01}."s, "\x80\x06}."s})
    BOOST_TEST(error_text([&] { read(start); }).starts_with("corrupt_data"));
}

BOOST_AUTO_TEST_CASE(work_and_memory_are_bounded) {
  using limits = runtime::pickle_limits;
  check_corrupt(std::string(limits::open_marks + 1, '('), "nested deeper");
  check_corrupt(std::string(limits::values + 1, '}'), "4194304 values");
  std::string idle = "K\1q\1";
  idle.reserve(2 * limits::steps + 8);
  for (std::size_t i = 0; i < limits::steps / 2; ++i)
    idle += "h\1"
            "0";
  check_corrupt(idle, "16777216 steps");
  std::string memo = "N";
  for (std::size_t i = 0; i <= limits::values; ++i)
    memo += '\x94';
  check_corrupt(memo, "values to remember");
  check_corrupt(std::string(limits::bytes, ' '), "larger than 67108864 bytes");
  // Lists in lists, without recursion anywhere.
  std::string deep = "]";
  for (int i = 0; i < 1'000'000; ++i)
    deep += "]q\1h\1a0h\1";
  check_corrupt(deep, "left over");
  // A list that holds itself.
  value_of<runtime::pickle_list>("]q\1h\1a");
}

BOOST_AUTO_TEST_SUITE_END()
