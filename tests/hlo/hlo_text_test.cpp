#include "hlo/decoder/step_graph.hpp"
#include "tests/hlo/hlo_cases.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::testing;

namespace {

std::string reprinted(const std::string &text) {
  return print(*parse(text, "case"));
}

const char *const families[] = {
    "elementwise", "data_movement", "indexing",
    "contraction", "reduction",     "structure",
    "constants",   "collectives",   "foreign_operations"};

} // namespace

BOOST_AUTO_TEST_SUITE(hlo_text)

BOOST_DATA_TEST_CASE(prints_what_it_parsed,
                     boost::unit_test::data::make(families), family) {
  const std::string text = read_case(std::string(family) + ".hlo");
  BOOST_TEST(reprinted(text) == text);
}

BOOST_AUTO_TEST_CASE(reads_other_spellings) {
  const std::string printed = reprinted(read_case("foreign_spelling.hlo"));
  BOOST_TEST(printed == read_case("foreign_spelling.expected"));
  BOOST_TEST(reprinted(printed) == printed);
}

BOOST_AUTO_TEST_CASE(reads_values_exactly) {
  const auto m = parse(read_case("constants.hlo"), "case");
  const auto &all = m->entry()->instructions();
  const literal &halves = *all[8]->attrs.value;
  BOOST_TEST(halves.real(0) == 65504);
  BOOST_TEST(halves.real(1) == std::ldexp(1.0, -24));
  BOOST_TEST(std::signbit(halves.real(2)));
  const literal &floats = *all[10]->attrs.value;
  BOOST_TEST(floats.real(0) == double(0.1f));
  BOOST_TEST(floats.real(1) == std::ldexp(1.0, -149));
  std::uint32_t bits[6];
  std::memcpy(bits, floats.bytes().data(), sizeof bits);
  BOOST_TEST(bits[3] == 0x7fc00000u);
  BOOST_TEST(bits[4] == 0xffc00000u);
  BOOST_TEST(bits[5] == 0x7f800001u);
  BOOST_TEST(all[6]->attrs.value->integer(1) == INT64_MAX);
  BOOST_TEST(all[11]->attrs.value->real(0) == 0.1);
}

BOOST_AUTO_TEST_CASE(round_trips_every_half) {
  literal all(array_shape(element_type::bf16, {65536}));
  for (std::uint32_t i = 0; i < 65536; ++i)
    std::memcpy(all.bytes().data() + 2 * i, &i, 2);
  for (const auto type : {element_type::bf16, element_type::f16}) {
    module m("halves");
    builder b(m, "main");
    literal values(array_shape(type, {65536}));
    std::memcpy(values.bytes().data(), all.bytes().data(), 2 * 65536);
    m.set_entry(b.build(b.constant(std::move(values))));
    const auto back = parse(print(m), "halves");
    const literal &read = *back->entry()->root()->attrs.value;
    BOOST_TEST(
        std::memcmp(read.bytes().data(), all.bytes().data(), 2 * 65536) == 0);
  }
}

BOOST_AUTO_TEST_CASE(round_trips_a_step_graph) {
  decoder_spec spec;
  spec.layers = 2;
  spec.hidden = 64;
  spec.heads = 8;
  spec.kv_heads = 4;
  spec.head_dim = 8;
  spec.mlp = 172;
  spec.vocabulary = 512;
  spec.n_positions = 128;
  spec.rotary.frequencies = {1.0f, 0.1f, 0.01f, 0.001f};
  for (const std::int64_t degree : {1, 2, 4}) {
    graph_options options;
    options.sharding = plain_sharding(spec, degree);
    options.blocks = 16;
    options.max_blocks = 4;
    const auto step = build_step_graph(spec, options);
    const std::string text = print(*step.graph);
    BOOST_TEST(reprinted(text) == text);
    BOOST_TEST(contains(text, "is_composite=true"));
    BOOST_TEST(contains(text, "must-alias"));
  }
}

BOOST_AUTO_TEST_CASE(takes_fresh_channels_and_names_after_parsing) {
  const auto m = parse(read_case("collectives.hlo"), "case");
  BOOST_TEST(m->next_channel_id() == 8);
  const instruction *added = m->entry()->append(
      opcode::partition_id, scalar_shape(element_type::u32), {}, {});
  BOOST_TEST(added->name == "partition-id.7");
}

namespace {

struct refused_text {
  const char *lines;
  const char *reason;
};

std::ostream &operator<<(std::ostream &out, const refused_text &r) {
  return out << r.lines;
}

const refused_text refused[] = {
    {"x = f32[2] parameter(0)\n  y = f32[2] frobnicate(x)",
     "case:5:14: unknown operation 'frobnicate'"},
    {"x = f32[2] parameter(0)\n  y = f32[2] negate(x), colour=red",
     "case:5:25: unknown attribute 'colour' of negate"},
    {"x = f32[2] parameter(0)\n y = f32[2] negate(z)",
     "operand 'z' is not defined before"},
    {"x = f32[2] parameter(0)\n x = f32[2] negate(x)", "defined twice"},
    {"x = f8[2] parameter(0)", "unknown element type 'f8'"},
    {"x = f32[-1] parameter(0)", "too large, negative"},
    {"x = f32[99999999,99999999] parameter(0)", "too large"},
    {"x = f32[2,2]{1,1} parameter(0)", "wrong layout"},
    {"x = f32[2,2]{1,0:T(8,128)} parameter(0)", "tiled layouts"},
    {"x = f32[2] constant({1})", "expected ','"},
    {"x = f32[2] constant({1, 2, 3})", "expected '}'"},
    {"x = f32[1000000] constant({1})", "fewer values"},
    {"x = s8[] constant(128)", "'128' is no value of type s8"},
    {"x = f32[] constant(1e39)", "'1e39' is no value of type f32"},
    {"x = f16[] constant(1e5)", "'1e5' is no value of type f16"},
    {"x = f32[] constant(nan(0x0))", "'nan(0x0)' is no value"},
    {"x = f32[] constant(...)", "'...' is no value"},
    {"x = f32[0] constant({1})", "without elements"},
    {"x = f32[2] parameter(0)\n y = pred[2] compare(x, x)",
     "attribute 'direction' of compare is missing"},
    {"x = f32[2] parameter(0)\n y = pred[2] compare(x, x), direction=LE, "
     "direction=LE",
     "given twice"},
    {"x = f32[2] parameter(0)\n y = pred[2] compare(x, x), direction=UP",
     "direction must be"},
    {"x = f32[2] parameter(0)\n y = pred[2] compare(x, x), direction=LE, "
     "type=COMPLEX",
     "comparison type"},
    {"x = f32[2] parameter(0)\n y = f32[2] call(x), to_apply=f",
     "computation 'f' is not defined before"},
    {"x = f32[2] parameter(0), sharding={devices=[2]<=[2]}",
     "only sharding={replicated}"},
    {"x = f32[2] parameter(0)\n y = f32[2] negate(s32[2] x)",
     "operand 'x' has the shape f32[2]{0}"},
    {"x = f32[2] parameter(0)\n y = f32[3] negate(x)",
     "case: module m: main/y: its shape is f32[3]"},
    {"x = f32[2] parameter(0), metadata={op_name=\"", "does not"},
    {"x = f32[2] parameter(0) /* ", "comment does not end"},
    {"ROOT x = f32[2] parameter(0)\n ROOT y = f32[2] negate(x)",
     "a second ROOT"},
    {"x = f32[2] parameter(9999999999999999999999)", "integer out of range"},
    {"", "has no instructions"},
};

} // namespace

BOOST_DATA_TEST_CASE(refuses_with_line_and_column,
                     boost::unit_test::data::make(refused), r) {
  const std::string message =
      refusal([&] { parse(in_module(r.lines), "case"); });
  BOOST_TEST(contains(message, r.reason), message);
}

BOOST_AUTO_TEST_CASE(refuses_bad_headers) {
  const auto refuses = [](const std::string &text, const std::string &reason) {
    const std::string message = refusal([&] { parse(text, "case"); });
    BOOST_TEST(contains(message, reason), message);
  };
  const std::string entry = "\nENTRY %e { ROOT x = f32[2] parameter(0) }";
  refuses("", "case:1:1: expected 'HloModule'");
  refuses("HloModule m", "no ENTRY");
  refuses("HloModule m" + entry + entry, "defined twice");
  refuses("HloModule m" + entry + "\nENTRY %f { x = f32[] parameter(0) }",
          "a second ENTRY");
  refuses("HloModule m, replica_count=2" + entry, "replica_count must be 1");
  refuses("HloModule m, speed=2" + entry, "unknown attribute 'speed'");
  refuses("HloModule m, entry_computation_layout={(f32[3])->f32[2]}" + entry,
          "entry_computation_layout differs");
  refuses("HloModule m\nENTRY %e (x: f32[2]) -> f32[3] { ROOT x = f32[2] "
          "parameter(0) }",
          "the signature of 'e' differs");
  refuses("HloModule m, input_output_alias={ {0}: (0, {}) }" + entry,
          "expected {}");
  refuses("HloModule m, input_output_alias={ {}: (0, {1}) }" + entry,
          "tuple parameters");
  refuses("HloModule m, num_partitions=0" + entry, "must be positive");
}

BOOST_AUTO_TEST_CASE(bounds_the_nesting_of_calls) {
  const auto chain = [](int length) {
    std::string text = "HloModule m\nc0 { x = f32[] parameter(0) }\n";
    for (int i = 1; i < length; ++i)
      text += "c" + std::to_string(i) +
              " { x = f32[] parameter(0)\n ROOT y = f32[] call(x), to_apply=c" +
              std::to_string(i - 1) + " }\n";
    return text +
           "ENTRY e { x = f32[] parameter(0)\n ROOT y = f32[] call(x), "
           "to_apply=c" +
           std::to_string(length - 1) + " }\n";
  };
  BOOST_TEST(refusal([&] { parse(chain(100), "case"); }).empty());
  BOOST_TEST(contains(refusal([&] { parse(chain(1000), "case"); }), "nest"));
  BOOST_TEST(contains(refusal([&] { parse(chain(100000), "case"); }), "nest"));
}

BOOST_AUTO_TEST_SUITE_END()
