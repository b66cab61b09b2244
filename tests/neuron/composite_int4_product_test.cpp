// Products of int8 rows with int4 weights against their bodies. Where scales
// are powers of two every number on the way is exact, and all bits are equal.
#include "hlo/composites/int4_linear.hpp"
#include "tests/neuron/composite_case.hpp"

#include <limits>

using namespace ganglion;
using namespace ganglion::testing;
using hlo::activation;

namespace {

literal codes(composite_case &c, std::int64_t n, std::int64_t k,
              bool ends = false) {
  literal out(hlo::array_shape(element_type::s8, {n, k}));
  for (std::int64_t i = 0; i < n * k; ++i)
    out.set_integer(i, ends ? (c.random() % 2 ? 7 : -7)
                            : std::int64_t(c.random() % 15) - 7);
  return out;
}

/// Of groups: any f16, or powers of two alone.
literal scales(composite_case &c, std::int64_t n, std::int64_t groups,
               bool exact) {
  literal out(hlo::array_shape(element_type::f16, {n, groups}));
  for (std::int64_t i = 0; i < n * groups; ++i)
    out.set_real(i, exact ? (c.random() % 2 ? 0.125 : 0.0625)
                          : double(c.random() % 1000) * 1e-4);
  return out;
}

struct product_sizes {
  std::int64_t rows, k, n;
};

struct product_options {
  std::int64_t group = 32;
  bool gated = false, biased = false, exact = true, ends = false;
  activation f = activation::none;
};

/// x is quantised first.
value product(composite_case &c, literal x, std::int64_t n, element_type out,
              const product_options &o) {
  const auto type = x.form().type;
  const auto k = x.form().dim(1), groups = (k + o.group - 1) / o.group;
  const auto rows =
      group_rows(c.b, quantise_rows(c.b, c.input(std::move(x))), o.group);
  const auto weight = [&] { return c.input(codes(c, n, k, o.ends)); };
  const auto scale = [&] { return c.input(scales(c, n, groups, o.exact)); };
  const auto bias = [&] {
    return o.biased ? c.input(c.normal(type, {n})) : nullptr;
  };
  if (!o.gated) {
    const value w = weight(), s = scale();
    return int4_linear(c.b, rows, w, s, bias(), o.f, out);
  }
  hlo::gated_weights w{weight(), weight()};
  w.gate_scale = scale();
  w.up_scale = scale();
  w.gate_bias = bias();
  w.up_bias = bias();
  return gated_int4_linear(c.b, rows, w, o.f, out);
}

/// f32 rows whose scale is a power of two.
literal exact_rows(composite_case &c, std::int64_t rows, std::int64_t k) {
  literal out(hlo::array_shape(element_type::f32, {rows, k}));
  for (std::int64_t i = 0; i < rows * k; ++i)
    out.set_real(i, i % k == 0 ? 127.0
                               : double(std::int64_t(c.random() % 255) - 127));
  return out;
}

constexpr product_sizes sizes[] = {
    {1, 1, 1},    {1, 64, 64},  {1, 129, 130}, {2, 7, 63},  {3, 33, 65},
    {4, 36, 64},  {5, 130, 20}, {6, 100, 129}, {7, 70, 64}, {13, 31, 33},
    {64, 66, 80}, {2, 257, 64}, {1, 260, 65},
};

} // namespace

BOOST_AUTO_TEST_SUITE(composite_int4_product)

BOOST_AUTO_TEST_CASE(exact_products_equal_their_bodies) {
  unsigned seed = 1;
  for (const auto &[rows, k, n] : sizes)
    for (const std::int64_t group : {32, 64, 128})
      for (const bool gated : {false, true})
        for (const bool ends : {false, true}) {
          composite_case c(seed++);
          literal x = exact_rows(c, rows, k);
          c.finish(product(c, std::move(x), n, element_type::f32,
                           {.group = group, .gated = gated, .ends = ends}));
          c.check_equal();
        }
}

BOOST_AUTO_TEST_CASE(products_agree) {
  unsigned seed = 1000;
  for (const auto type : storage_types)
    for (const auto &[rows, k, n] : sizes)
      for (const auto f : {activation::none, activation::silu}) {
        composite_case c(seed++);
        literal x = c.normal(type, {rows, k});
        c.finish(product(c, std::move(x), n, type,
                         {.biased = true, .exact = false, .f = f}));
        // Terms of a group are below 5 * 0.7 * 32.
        const double groups = double((k + 31) / 32);
        c.check([&](std::int64_t) { return groups * groups * 112 * unit; });
      }
}

// Every weight there is, at every place of a panel, alone in its sum.
BOOST_AUTO_TEST_CASE(every_weight_is_exact_at_every_place) {
  composite_case c(300);
  constexpr std::int64_t n = 130, k = 66;
  literal x(hlo::array_shape(element_type::f32, {k, k}));
  for (std::int64_t i = 0; i < k; ++i)
    x.set_real(i * k + i, 127.0);
  literal w(hlo::array_shape(element_type::s8, {n, k}));
  for (std::int64_t i = 0; i < n * k; ++i)
    w.set_integer(i, (i / k + i % k * 4) % 15 - 7);
  const auto rows =
      group_rows(c.b, quantise_rows(c.b, c.input(std::move(x))), 32);
  const value weight = c.input(std::move(w));
  const value scale = c.input(scales(c, n, 3, true));
  c.finish(int4_linear(c.b, rows, weight, scale, nullptr, activation::none,
                       element_type::f32));
  c.check_equal();
}

BOOST_AUTO_TEST_CASE(rows_that_are_no_numbers_stay_alone) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    composite_case c(500);
    literal x = c.normal(element_type::f32, {9, 37});
    for (const std::int64_t row : {0, 4, 8})
      x.set_real(row * 37 + row, bad);
    c.finish(product(c, std::move(x), 70, element_type::f32,
                     {.biased = true, .exact = false}));
    c.check([](std::int64_t) { return 4 * 112 * unit; });
    const literal y = evaluate(*c.graph, c.arguments);
    for (std::int64_t i = 0; i < 9 * 70; ++i)
      BOOST_TEST_REQUIRE(std::isnan(y.real(i)) == (i / 70 % 4 == 0));
  }
}

BOOST_AUTO_TEST_SUITE_END()
