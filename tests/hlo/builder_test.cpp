#include "hlo/builder.hpp"
#include "hlo/composite.hpp"
#include "hlo/verifier.hpp"
#include "tests/hlo/hlo_cases.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::testing;

namespace {

struct fixture {
  hlo::module m{"built"};
  hlo::builder b{m, "main"};
  value x = b.parameter(0, array_shape(element_type::f32, {4, 6}), "x");
  value n = b.parameter(1, array_shape(element_type::s32, {3}), "n");

  std::string finish(value root) {
    m.set_entry(b.build(root));
    verify(m);
    return print(*root);
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(builder)

BOOST_FIXTURE_TEST_CASE(builds_arithmetic, fixture) {
  const value scaled = b.multiply(x, b.filled_like(x, 0.5));
  BOOST_TEST(finish(b.maximum(b.unary(opcode::tanh, scaled), x)) ==
             "%maximum.6 = f32[4,6]{1,0} maximum(%tanh.5, %x)");
  BOOST_CHECK_THROW(b.add(x, n), error);
  BOOST_TEST(b.convert(x, element_type::f32) == x);
  BOOST_TEST(b.convert(x, element_type::bf16)->form.bytes() == 48u);
}

BOOST_FIXTURE_TEST_CASE(builds_data_movement, fixture) {
  const value part = b.slice_in_dim(x, 1, 2, 5);
  BOOST_TEST(print(*part) ==
             "%slice.2 = f32[4,3]{1,0} slice(%x), slice={[0:4], [2:5]}");
  const value turned = b.transpose(part, {1, 0});
  const value joined = b.concatenate(std::vector{turned, turned}, 1);
  BOOST_TEST(finish(b.gather_rows(joined, n)) ==
             "%gather.5 = f32[3,8]{1,0} gather(%concatenate.4, %n), "
             "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
             "index_vector_dim=1, slice_sizes={1,8}");
  BOOST_CHECK_THROW(b.slice_in_dim(x, 1, 2, 7), error);
  BOOST_CHECK_THROW(b.transpose(x, {0, 0}), error);
  BOOST_CHECK_THROW(b.reshape(x, {5, 5}), error);
}

BOOST_FIXTURE_TEST_CASE(builds_reductions_with_shared_combiners, fixture) {
  const value sums = b.reduce(opcode::add, x, 0.0, {1});
  const value more = b.reduce(opcode::add, x, 1.0, {0});
  BOOST_TEST(sums->attrs.called == more->attrs.called);
  BOOST_TEST(finish(b.tuple(std::vector{sums, more})) ==
             "%tuple.6 = (f32[4]{0}, f32[6]{0}) tuple(%reduce.3, %reduce.5)");
  BOOST_CHECK_THROW(b.reduce(opcode::add, x, 0.0, {2}), error);
}

BOOST_FIXTURE_TEST_CASE(numbers_collectives, fixture) {
  m.num_partitions = 2;
  const value first = b.all_reduce(x, {{0, 1}});
  const value second = b.all_gather(first, 0, {{0, 1}});
  BOOST_TEST(first->attrs.channel_id == 1);
  BOOST_TEST(second->attrs.channel_id == 2);
  finish(second);
  BOOST_TEST(second->form.dim(0) == 8);
  BOOST_CHECK_THROW(b.reduce_scatter(x, 2, {{0, 1}}), error);
}

BOOST_FIXTURE_TEST_CASE(shares_bodies_of_equal_composites, fixture) {
  const auto body = [](hlo::builder &inner, std::span<const value> in) {
    return inner.multiply(in[0], in[0]);
  };
  composite_attributes eps;
  eps.set("eps", 1e-5);
  const value a = composite(b, "square", eps, std::vector{x}, body);
  const value again = composite(b, "square", eps, std::vector{a}, body);
  composite_attributes other;
  other.set("eps", 1e-6);
  const value c = composite(b, "square", other, std::vector{again}, body);
  finish(c);
  BOOST_TEST(a->attrs.called == again->attrs.called);
  BOOST_TEST(a->attrs.called != c->attrs.called);
  BOOST_TEST(composite_attributes_of(*c).real("eps") == 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()
