#include "hlo/builder.hpp"
#include "hlo/proto/serialise.hpp"
#include "tests/hlo/hlo_cases.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::testing;

namespace {

const char *const families[] = {
    "elementwise",      "data_movement",     "indexing",  "contraction",
    "reduction",        "structure",         "constants", "collectives",
    "foreign_spelling", "foreign_operations"};

/// Bytes that were written once and for all: the fuzzer's seeds.
std::string golden(const std::string &name) {
  std::ifstream in(source_dir() + "/tests/fuzz/seeds/hlo_proto/" + name + ".pb",
                   std::ios::binary);
  if (!in)
    throw error(error_code::not_found, "no such seed", name);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string written(const std::string &family) {
  return serialise(*parse(read_case(family + ".hlo"), family));
}

std::string refused(const std::string &bytes) {
  return refusal([&] { deserialise(bytes, "file"); });
}

/// A field of bytes, in front of which others may stand.
std::string field(int number, const std::string &value) {
  std::string out;
  for (int tag = number * 8 + 2; tag > 0; tag >>= 7)
    out += static_cast<char>((tag & 127) | (tag > 127 ? 128 : 0));
  BOOST_REQUIRE(value.size() < 128);
  return out + static_cast<char>(value.size()) + value;
}

} // namespace

BOOST_AUTO_TEST_SUITE(serialise)

BOOST_DATA_TEST_CASE(writes_the_same_bytes_everywhere,
                     boost::unit_test::data::make(families), family) {
  BOOST_TEST((written(family) == golden(family)));
}

BOOST_DATA_TEST_CASE(reads_what_it_wrote,
                     boost::unit_test::data::make(families), family) {
  const std::string text = read_case(std::string(family) + ".hlo");
  const auto once = parse(text, family);
  const auto back = deserialise(hlo::serialise(*once), family);
  BOOST_TEST((hlo::serialise(*back) == hlo::serialise(*once)));
  BOOST_TEST((back->aliases == once->aliases));
  BOOST_TEST(back->num_partitions == once->num_partitions);
  // Only names may differ, where two computations used one.
  if (std::string(family) == "elementwise" ||
      std::string(family) == "constants")
    BOOST_TEST(print(*back) == print(*once));
}

BOOST_AUTO_TEST_CASE(names_are_unique_within_a_module) {
  const auto m = parse(R"(HloModule m
first { x = f32[] parameter(0)
  ROOT y = f32[] negate(x) }
ENTRY main {
  x = f32[] parameter(0)
  x.1 = f32[] call(x), to_apply=first
  ROOT y = f32[] negate(x.1)
})",
                       "case");
  const auto back = deserialise(hlo::serialise(*m), "case");
  std::vector<std::string> names;
  for (const auto &i : back->entry()->instructions())
    names.push_back(i->name);
  const std::vector<std::string> expected{"x.1", "x.1.1", "y.1"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nan_payloads_survive) {
  literal l(array_shape(element_type::f32, {2}));
  const std::uint32_t bits[] = {0x7f800001u, 0xffc12345u};
  std::memcpy(l.bytes().data(), bits, sizeof bits);
  module m("nans");
  builder b(m, "main");
  m.set_entry(b.build(b.constant(std::move(l))));
  const auto back = deserialise(hlo::serialise(m), "nans");
  BOOST_TEST(std::memcmp(back->entry()->root()->attrs.value->bytes().data(),
                         bits, sizeof bits) == 0);
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_module) {
  BOOST_TEST(contains(refused("HloModule m"), "file: HloModuleProto"));
  BOOST_TEST(contains(refused(""), "the entry computation is missing"));
  std::string cut = written("elementwise");
  cut.resize(cut.size() - 3);
  BOOST_TEST(contains(refused(cut), "not a HloModuleProto"));
}

BOOST_AUTO_TEST_CASE(refuses_fields_that_it_does_not_know) {
  const std::string good = written("constants");
  BOOST_TEST(refused(good) == "");
  BOOST_TEST(refused(good + field(17, "stack frames")) == "");
  BOOST_TEST(
      contains(refused(good + field(90, "news")), "field 90 is not known"));
  // In an instruction of a computation.
  BOOST_TEST(contains(refused(good + field(3, field(2, field(22, "out")))),
                      "HloInstructionProto: field 22 is not known"));
}

BOOST_AUTO_TEST_CASE(refuses_operations_and_references_by_name) {
  const auto instruction = [](const std::string &rest) {
    return field(3, field(1, "c") + field(2, field(1, "i") + rest));
  };
  BOOST_TEST(contains(refused(instruction(field(2, "fft"))),
                      "c/i: unknown operation 'fft'"));
  const std::string f32 = field(3, std::string("\x10\x0b", 2));
  // operand_ids = [5], called_computation_ids = [7]
  BOOST_TEST(contains(
      refused(instruction(field(2, "negate") + f32 + field(36, "\x05"))),
      "c/i: an operand is not defined before"));
  BOOST_TEST(
      contains(refused(instruction(field(2, "call") + f32 + field(38, "\x07"))),
               "c/i: a computation that it calls is not defined before"));
  const std::string c64 = field(3, std::string("\x10\x0f", 2));
  BOOST_TEST(contains(refused(instruction(field(2, "negate") + c64)),
                      "c/i: element type 15"));
}

BOOST_AUTO_TEST_CASE(a_literal_must_have_its_elements) {
  // A constant of shape f32[2^40] without any.
  const std::string shape_of =
      std::string("\x10\x0b\x1a\x06\x80\x80\x80\x80\x80\x20", 10);
  const std::string c =
      field(2, "constant") + field(3, shape_of) + field(8, field(1, shape_of));
  const std::string message =
      refused(field(3, field(1, "c") + field(2, field(1, "i") + c)));
  BOOST_TEST(contains(message, "c/i: constants are too large"), message);
}

BOOST_AUTO_TEST_SUITE_END()
