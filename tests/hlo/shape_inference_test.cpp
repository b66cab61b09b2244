#include "hlo/shape_inference.hpp"
#include "tests/hlo/hlo_cases.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::testing;

namespace {

/// One instruction on the values below. `result` is the shape that must be
/// right; every shape that differs from it must be refused. An empty result
/// means that `call` must be refused whatever its shape.
struct inference {
  const char *result;
  const char *call;
};

std::ostream &operator<<(std::ostream &out, const inference &i) {
  return out << i.call;
}

const char *const helpers =
    "add { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
    " ROOT c = f32[] add(a, b) }\n"
    "less { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
    " ROOT c = pred[] compare(a, b), direction=LT }\n"
    "negate { a = f32[2,3] parameter(0)\n ROOT b = f32[2,3] negate(a) }\n";

const char *const values = "x = f32[2,3] parameter(0)\n"
                           "y = f32[2,3] parameter(1)\n"
                           "w = f32[4,3] parameter(2)\n"
                           "n = s32[2,3] parameter(3)\n"
                           "p = pred[2,3] parameter(4)\n"
                           "i = s32[] parameter(5)\n"
                           "f = f32[] parameter(6)\n"
                           "b = f32[5,2,3] parameter(7)\n"
                           "rows = s32[7] parameter(8)\n"
                           "t = (f32[2,3], s32[]) parameter(9)\n"
                           "h = bf16[2,3] parameter(10)\n";

const inference right[] = {
    {"f32[2,3]", "add(x, y)"},
    {"f32[2,3]", "tanh(x)"},
    {"pred[2,3]", "compare(x, y), direction=EQ"},
    {"pred[2,3]", "is-finite(x)"},
    {"f32[2,3]", "select(p, x, y)"},
    {"f32[2,3]", "clamp(f, x, f)"},
    {"f32[2,3]", "clamp(x, y, f)"},
    {"f32[4,2,3]", "broadcast(x), dimensions={1,2}"},
    {"f32[3,2]", "transpose(x), dimensions={1,0}"},
    {"f32[3,2]", "reshape(x)"},
    {"f32[1,2]", "slice(x), slice={[1:2], [0:3:2]}"},
    {"f32[1,2]", "dynamic-slice(x, i, i), dynamic_slice_sizes={1,2}"},
    {"f32[4,3]", "dynamic-update-slice(w, x, i, i)"},
    {"f32[6,5]", "pad(x, f), padding=1_2_1x-1_3_0"},
    {"f32[6,3]", "concatenate(x, w), dimensions={0}"},
    {"f32[2,3]", "reverse(x), dimensions={1}"},
    {"f32[2,4]", "dot(x, w), lhs_contracting_dims={1}, "
                 "rhs_contracting_dims={1}"},
    {"f32[3,2,5,2]", "dot(x, b), lhs_contracting_dims={}, "
                     "rhs_contracting_dims={}, lhs_batch_dims={1}, "
                     "rhs_batch_dims={2}"},
    {"f32[7,3]", "gather(x, rows), offset_dims={1}, collapsed_slice_dims={0}, "
                 "start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}"},
    {"f32[2]", "reduce(x, f), dimensions={1}, to_apply=add"},
    {"f32[2,2]", "reduce-window(x, f), window={size=1x2 stride=1x2 "
                 "pad=0_0x1_0}, to_apply=add"},
    {"f32[2,3]", "sort(x), dimensions={0}, to_apply=less"},
    {"(f32[2,3], s32[])", "tuple(x, i)"},
    {"s32[]", "get-tuple-element(t), index=1"},
    {"f32[2,3]", "call(x), to_apply=negate"},
    {"f32[2,6]", "all-gather(x), channel_id=1, replica_groups={{0,1}}, "
                 "dimensions={1}"},
    {"f32[1,3]", "reduce-scatter(x), channel_id=1, replica_groups={{1,0}}, "
                 "dimensions={0}, to_apply=add"},
    {"f32[2,3]", "all-to-all(x), channel_id=1, replica_groups={{0,1}}, "
                 "dimensions={0}"},
    {"f32[2,3]", "all-reduce(x), channel_id=1, replica_groups={{0,1}}, "
                 "to_apply=add"},
    {"u32[]", "partition-id()"},
};

const inference wrong[] = {
    {"f32[2,3]", "add(x, w)"},
    {"f32[2,3]", "add(x, n)"},
    {"f32[2,3]", "add(x)"},
    {"f32[2,3]", "negate(t)"},
    {"s32[2,3]", "exponential(n)"},
    {"f32[2,3]", "and(x, y)"},
    {"pred[2,3]", "shift-left(p, p)"},
    {"f32[2,3]", "select(n, x, y)"},
    {"f32[2,3]", "select(p, x, w)"},
    {"f32[2,3]", "clamp(i, x, f)"},
    {"f32[2,3]", "clamp(w, x, f)"},
    {"f32[4,2,3]", "broadcast(x), dimensions={1}"},
    {"f32[4,3,2]", "broadcast(x), dimensions={1,2}"},
    {"f32[4,2,3]", "broadcast(x), dimensions={1,1}"},
    {"f32[4,2,3]", "broadcast(x), dimensions={1,3}"},
    {"f32[3,2]", "transpose(x), dimensions={1}"},
    {"f32[3,3]", "transpose(x), dimensions={1,1}"},
    {"f32[7]", "reshape(x)"},
    {"f32[1,2]", "slice(x), slice={[1:2]}"},
    {"f32[1,4]", "slice(x), slice={[1:2], [0:4]}"},
    {"f32[1,2]", "slice(x), slice={[1:2], [0:3:0]}"},
    {"f32[1,4]", "dynamic-slice(x, i, i), dynamic_slice_sizes={1,4}"},
    {"f32[1,2]", "dynamic-slice(x, i), dynamic_slice_sizes={1,2}"},
    {"f32[1,2]", "dynamic-slice(x, f, f), dynamic_slice_sizes={1,2}"},
    {"f32[1,2]", "dynamic-slice(), dynamic_slice_sizes={1,2}"},
    {"f32[2,3]", "dynamic-update-slice(x, w, i, i)"},
    {"f32[2,3]", "dynamic-update-slice(x, h, i, i)"},
    {"f32[2,3]", "pad(x, i), padding=0_0x0_0"},
    {"f32[2,3]", "pad(x, f), padding=0_0"},
    {"f32[0,3]", "pad(x, f), padding=-3_0x0_0"},
    {"f32[2,3]", "pad(x, f), padding=0_0_-1x0_0_0"},
    {"f32[2,3]", "pad(x, f), padding=0_0_70368744177664x0_0_0"},
    {"f32[2,6]", "concatenate(x, w), dimensions={1}"},
    {"f32[2,6]", "concatenate(x, h), dimensions={1}"},
    {"f32[2,6]", "concatenate(), dimensions={1}"},
    {"f32[2,3]", "reverse(x), dimensions={2}"},
    {"f32[2,4]", "dot(x, w), lhs_contracting_dims={0}, "
                 "rhs_contracting_dims={1}"},
    {"f32[2,2]", "dot(x, h), lhs_contracting_dims={1}, "
                 "rhs_contracting_dims={1}"},
    {"f32[3]", "dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={1},"
               " lhs_batch_dims={1}, rhs_batch_dims={1}"},
    {"f32[7,3]", "gather(x, rows), offset_dims={1}, collapsed_slice_dims={0}, "
                 "start_index_map={0,1}, index_vector_dim=1, "
                 "slice_sizes={1,3}"},
    {"f32[7,3]", "gather(x, rows), offset_dims={1}, collapsed_slice_dims={0}, "
                 "start_index_map={2}, index_vector_dim=1, slice_sizes={1,3}"},
    {"f32[7,3]", "gather(x, rows), offset_dims={1}, collapsed_slice_dims={0}, "
                 "start_index_map={0}, index_vector_dim=2, slice_sizes={1,3}"},
    {"f32[7,3]", "gather(x, rows), offset_dims={1}, collapsed_slice_dims={0}, "
                 "start_index_map={0}, index_vector_dim=1, slice_sizes={2,3}"},
    {"f32[2,3]", "scatter(x, rows, w), update_window_dims={1}, "
                 "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                 "index_vector_dim=1, to_apply=add"},
    {"f32[2]", "reduce(x, i), dimensions={1}, to_apply=add"},
    {"f32[2]", "reduce(x, f), dimensions={2}, to_apply=add"},
    {"f32[2]", "reduce(x), dimensions={1}, to_apply=add"},
    {"f32[2]", "reduce(x, f), dimensions={1}, to_apply=less"},
    {"f32[2,3]", "reduce-window(x, f), window={size=1}, to_apply=add"},
    {"f32[2,3]", "reduce-window(x, f), window={size=1x0}, to_apply=add"},
    {"f32[2,3]", "sort(x), dimensions={2}, to_apply=less"},
    {"f32[2,3]", "sort(x), dimensions={0}, to_apply=add"},
    {"s32[]", "get-tuple-element(t), index=2"},
    {"s32[]", "get-tuple-element(x), index=0"},
    {"f32[2,3]", "call(w), to_apply=negate"},
    {"f32[2,3]", "call(x, y), to_apply=negate"},
    {"f32[2,3]", "while(x), condition=negate, body=negate"},
    {"f32[2,3]", "conditional(i, x), branch_computations={negate, negate}"},
    {"f32[2,3]", "conditional(f, x), branch_computations={negate}"},
    {"f32[2,3]", "all-gather(x), channel_id=1, replica_groups={{0,1}}, "
                 "dimensions={1}"},
    {"f32[2,3]", "all-gather(x), channel_id=1, replica_groups={{}}, "
                 "dimensions={1}"},
    {"f32[2,1]", "reduce-scatter(x), channel_id=1, replica_groups={{0,1}}, "
                 "dimensions={1}, to_apply=add"},
    {"s32[2,3]", "iota(), iota_dimension=2"},
    {"s64[2,3]", "bitcast-convert(n)"},
};

std::string text_of(const inference &i, const std::string &result) {
  return "HloModule m, num_partitions=2\n" + std::string(helpers) +
         "ENTRY main {\n" + values + "ROOT r = " + result + " " + i.call +
         "\n}\n";
}

} // namespace

BOOST_AUTO_TEST_SUITE(shape_inference)

BOOST_DATA_TEST_CASE(gives_the_shape, boost::unit_test::data::make(right), i) {
  BOOST_TEST(refusal([&] { parse(text_of(i, i.result), "case"); }) == "");
  for (const char *other : {"f32[6,6]", "s8[2,3]", "(f32[2,3])"})
    BOOST_TEST(refusal([&] { parse(text_of(i, other), "case"); }) != "");
}

BOOST_DATA_TEST_CASE(refuses, boost::unit_test::data::make(wrong), i) {
  const std::string message =
      refusal([&] { parse(text_of(i, i.result), "case"); });
  BOOST_TEST(contains(message, "main/r"), message);
}

BOOST_AUTO_TEST_CASE(names_rule_and_operands) {
  const shape a = array_shape(element_type::f32, {2, 3});
  const shape b = array_shape(element_type::f32, {3});
  const shape *const operands[] = {&a, &b};
  BOOST_TEST(refusal([&] { infer_shape(opcode::add, operands, {}); }) ==
             "add: operands must be alike; operands: f32[2,3] f32[3]");
}

BOOST_AUTO_TEST_CASE(refuses_results_beyond_the_limits) {
  const shape big = array_shape(element_type::f32, {max_elements});
  const shape *const operands[] = {&big, &big};
  attributes outer;
  BOOST_CHECK_THROW(infer_shape(opcode::dot, operands, outer), error);
  attributes joined;
  joined.dimensions = {0};
  BOOST_CHECK_THROW(infer_shape(opcode::concatenate, operands, joined), error);
  const shape deep = array_shape(element_type::f32, dims(max_rank + 1, 1));
  BOOST_TEST(!is_well_formed(deep));
  BOOST_TEST(!is_well_formed(array_shape(element_type::f32, {-1})));
  BOOST_TEST(is_well_formed(big));
}

BOOST_AUTO_TEST_SUITE_END()
