// Rows in int8 and their products with int8 weights against the bodies: sums
// are whole numbers, so that without an activation all bits are the same.
#include "hlo/composites/int8_linear.hpp"
#include "hlo/support/error.hpp"
#include "tests/neuron/composite_case.hpp"

#include <limits>

using namespace ganglion;
using namespace ganglion::testing;
using hlo::activation;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Whole numbers of the whole range, both ends among them; or ends alone.
literal whole_numbers(composite_case &c, std::int64_t n, std::int64_t k,
                      bool ends = false) {
  literal out(hlo::array_shape(element_type::s8, {n, k}));
  for (std::int64_t i = 0; i < n * k; ++i) {
    const auto roll = c.random() % (ends ? 2 : 16);
    out.set_integer(i, roll == 0   ? 127
                       : roll == 1 ? -127
                                   : std::int64_t(c.random() % 255) - 127);
  }
  return out;
}

void finish_rows(composite_case &c, literal x) {
  const auto rows = quantise_rows(c.b, c.input(std::move(x)));
  c.finish(c.b.tuple(std::array{rows.units, rows.scale}));
}

struct product_sizes {
  std::int64_t rows, k, n;
};

/// x is quantised, too.
value product(composite_case &c, literal x, std::int64_t n, bool gated,
              bool biased, activation f, element_type out, bool ends = false) {
  const auto type = x.form().type;
  const auto k = x.form().dim(1);
  const auto rows = quantise_rows(c.b, c.input(std::move(x)));
  const auto weight = [&] { return c.input(whole_numbers(c, n, k, ends)); };
  const auto scale = [&] {
    return c.input(c.normal(element_type::f32, {n}, 0.01));
  };
  const auto bias = [&] {
    return biased ? c.input(c.normal(type, {n})) : nullptr;
  };
  if (!gated) {
    const value w = weight(), s = scale();
    return int8_linear(c.b, rows, w, s, bias(), f, out);
  }
  hlo::gated_weights w{weight(), weight()};
  w.gate_scale = scale();
  w.up_scale = scale();
  w.gate_bias = bias();
  w.up_bias = bias();
  return gated_int8_linear(c.b, rows, w, f, out);
}

literal filled(element_type type, hlo::dims d, double v) {
  literal out(hlo::array_shape(type, std::move(d)));
  for (std::int64_t i = 0; i < out.form().size(); ++i)
    out.set_real(i, v);
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(composite_int8_product)

BOOST_AUTO_TEST_CASE(rows_become_int8) {
  unsigned seed = 1;
  for (const auto type : storage_types)
    for (const std::int64_t k : {1, 3, 15, 16, 17, 64, 131})
      for (const double scale : {1e-6, 1.0, 300.0}) {
        composite_case c(seed++);
        finish_rows(c, c.normal(type, {5, k}, scale));
        c.check_equal();
      }
}

// Halves of a unit go to the even neighbour.
BOOST_AUTO_TEST_CASE(halves_become_even) {
  composite_case c(1);
  literal x(hlo::array_shape(element_type::f32, {1, 255}));
  for (std::int64_t i = 0; i < 254; ++i)
    x.set_real(i, double(i - 127) + 0.5);
  x.set_real(254, 127);
  finish_rows(c, std::move(x));
  c.check_equal();
  const auto want = arrays_of(evaluate(*c.graph, c.arguments));
  BOOST_TEST(want[1].real(0) == 1.0);
  BOOST_TEST(want[0].integer(127) == 0);
  BOOST_TEST(want[0].integer(128) == 2);
  BOOST_TEST(want[0].integer(126) == 0);
  BOOST_TEST(want[0].integer(125) == -2);
}

BOOST_AUTO_TEST_CASE(zeros_denormals_and_what_is_no_number) {
  for (const auto type : storage_types) {
    composite_case c(2);
    literal x = c.normal(type, {9, 37});
    const auto fill = [&](std::int64_t row, double v) {
      for (std::int64_t i = 0; i < 37; ++i)
        x.set_real(row * 37 + i, i % 2 ? v : -v);
    };
    fill(0, 0.0);
    fill(1, 1e-40);
    fill(2, 1e-36);
    fill(3, not_a_number);
    fill(4, infinity);
    x.set_real(5 * 37 + 3, not_a_number);
    x.set_real(6 * 37 + 36, -infinity);
    x.set_real(7 * 37 + 1, 1e-40); // beside numbers of normal size
    finish_rows(c, std::move(x));
    c.check_equal();
    const auto want = arrays_of(evaluate(*c.graph, c.arguments));
    BOOST_TEST(want[1].real(0) == 0.0);
    BOOST_TEST(std::isnan(want[1].real(5)));
    BOOST_TEST(std::isinf(want[1].real(6)));
  }
}

BOOST_AUTO_TEST_CASE(products_equal_their_bodies) {
  unsigned seed = 100;
  for (const auto type : storage_types)
    for (const auto &[rows, k, n] : {product_sizes{1, 1, 1},
                                     {1, 64, 64},
                                     {1, 129, 130},
                                     {2, 7, 63},
                                     {3, 33, 65},
                                     {4, 36, 64},
                                     {5, 130, 20},
                                     {6, 20, 129},
                                     {7, 70, 64},
                                     {13, 31, 33},
                                     {64, 66, 80}})
      for (const bool gated : {false, true})
        for (const bool biased : {false, true}) {
          composite_case c(seed++);
          literal x = c.normal(type, {rows, k});
          c.finish(product(c, std::move(x), n, gated, biased, activation::none,
                           biased ? type : element_type::f32));
          c.check_equal();
        }
}

// All operands at their ends, and rows long enough for a sum of the raised
// weights to leave 32 bits on its way.
BOOST_AUTO_TEST_CASE(extremes_are_exact) {
  unsigned seed = 200;
  for (const std::int64_t k : {63, 4099, 70001}) {
    composite_case c(seed++);
    literal x = filled(element_type::f32, {2, k}, 3.0);
    for (std::int64_t i = 0; i < k; ++i)
      x.set_real(k + i, i % 3 ? -5.0 : 5.0);
    c.finish(product(c, std::move(x), 65, false, false, activation::none,
                     element_type::f32, true));
    c.check_equal();
  }
  for (const int sign : {-127, 127}) {
    composite_case c(seed++);
    const auto rows = quantise_rows(
        c.b, c.input(filled(element_type::bf16, {7, 70001}, 2.0)));
    literal w(hlo::array_shape(element_type::s8, {3, 70001}));
    for (std::int64_t i = 0; i < w.form().size(); ++i)
      w.set_integer(i, sign);
    const value weight = c.input(std::move(w));
    const value scale = c.input(filled(element_type::f32, {3}, 1.0));
    c.finish(int8_linear(c.b, rows, weight, scale, nullptr, activation::none,
                         element_type::f32));
    c.check_equal();
  }
}

BOOST_AUTO_TEST_CASE(sums_that_may_not_fit_are_refused) {
  composite_case c(250);
  constexpr auto most = hlo::most_int8_inputs;
  const auto rows = quantise_rows(
      c.b, c.input(filled(element_type::bf16, {1, most + 1}, 1.0)));
  const value w =
      c.input(literal(hlo::array_shape(element_type::s8, {1, most + 1})));
  const value scale = c.input(filled(element_type::f32, {1}, 1.0));
  const auto refused = [](const ganglion::error &e) {
    return std::string(e.what()).find("at most 133144") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(int8_linear(c.b, rows, w, scale, nullptr,
                                    activation::none, element_type::f32),
                        ganglion::error, refused);
}

// Every weight there is, at every place of a panel, alone in its sum.
BOOST_AUTO_TEST_CASE(every_weight_is_exact_at_every_place) {
  composite_case c(300);
  constexpr std::int64_t n = 255, k = 66;
  literal x(hlo::array_shape(element_type::f32, {k, k}));
  for (std::int64_t i = 0; i < k; ++i)
    x.set_real(i * k + i, 127.0);
  literal w(hlo::array_shape(element_type::s8, {n, k}));
  for (std::int64_t i = 0; i < n * k; ++i)
    w.set_integer(i, (i / k + i % k * 37) % 255 - 127);
  const auto rows = quantise_rows(c.b, c.input(std::move(x)));
  const value weight = c.input(std::move(w));
  const value scale = c.input(filled(element_type::f32, {n}, 0.25));
  c.finish(int8_linear(c.b, rows, weight, scale, nullptr, activation::none,
                       element_type::f32));
  c.check_equal();
}

BOOST_AUTO_TEST_CASE(activations_agree) {
  unsigned seed = 400;
  for (const auto type : storage_types)
    for (const auto f : {activation::silu, activation::gelu_tanh,
                         activation::gelu_erf, activation::relu}) {
      composite_case c(seed++);
      literal units = whole_numbers(c, 5, 37), w = whole_numbers(c, 70, 37);
      literal rows = c.normal(element_type::f32, {5, 1}, 0.01);
      literal scale = c.normal(element_type::f32, {70}, 0.01);
      const hlo::int8_rows x{c.input(std::move(units)),
                             c.input(std::move(rows))};
      const value weight = c.input(std::move(w)),
                  each = c.input(std::move(scale));
      c.finish(int8_linear(c.b, x, weight, each, nullptr, f, type));
      c.check([](std::int64_t) { return 16 * unit; });
    }
}

BOOST_AUTO_TEST_CASE(rows_that_are_no_numbers_stay_alone) {
  for (const double bad : {not_a_number, infinity}) {
    composite_case c(500);
    literal x = c.normal(element_type::f32, {9, 37});
    for (const std::int64_t row : {0, 4, 8})
      x.set_real(row * 37 + row, bad);
    c.finish(product(c, std::move(x), 70, false, true, activation::none,
                     element_type::f32));
    c.check_equal();
    const literal y = evaluate(*c.graph, c.arguments);
    for (std::int64_t i = 0; i < 9 * 70; ++i)
      BOOST_TEST_REQUIRE(std::isnan(y.real(i)) == (i / 70 % 4 == 0));
  }
}

BOOST_AUTO_TEST_SUITE_END()
