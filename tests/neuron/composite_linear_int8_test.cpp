// Products with int8 weights against their decompositions.
//
// The bound is that of composite_linear_test.cpp: whole numbers up to 127 are
// exact in every storage type, and the scale adds one rounding to a sum.
#include "hlo/composites/linear.hpp"
#include "tests/neuron/composite_case.hpp"

#include <limits>

using namespace ganglion;
using namespace ganglion::testing;
using hlo::activation;

namespace {

const std::vector<activation> activations = {
    activation::none, activation::silu, activation::gelu_tanh,
    activation::gelu_erf, activation::relu};

struct int8_matrix {
  literal weight, scale;
};

/// Whole numbers of the whole range, both ends among them; some scales are 0.
int8_matrix random_matrix(composite_case &c, std::int64_t n, std::int64_t k) {
  int8_matrix m{literal(hlo::array_shape(element_type::s8, {n, k})),
                c.normal(element_type::f32, {n}, 0.01)};
  for (std::int64_t i = 0; i < n * k; ++i) {
    const auto roll = c.random() % 16;
    m.weight.set_integer(i, roll == 0   ? 127
                            : roll == 1 ? -127
                                        : std::int64_t(c.random() % 255) - 127);
  }
  return m;
}

/// sum |x q| scale + |bias| of an output, and what flushed denormals may add.
struct magnitude {
  double sum = 0, flushed = 0;
};

magnitude magnitude_of(const literal &x, const literal &w, const literal &scale,
                       const literal *bias, std::int64_t output) {
  const auto k = x.form().dim(1), n = w.form().dim(0);
  const auto row = output / n, column = output % n;
  const double each = std::abs(scale.real(column));
  magnitude m{bias ? std::abs(bias->real(column)) : 0, 0};
  for (std::int64_t i = 0; i < k; ++i) {
    const double a = std::abs(x.real(row * k + i));
    const double b = std::abs(double(w.integer(column * k + i)));
    m.sum += a * b * each;
    m.flushed += (1 + a + b) * 0x1p-126 * each;
  }
  return m;
}

double steps(const literal &x) {
  return 1.2 * (static_cast<double>(x.form().dim(1)) + 17) * unit;
}

struct linear_sizes {
  std::int64_t rows, k, n;
};

void check_linear(composite_case &c, literal input, std::int64_t n,
                  activation f, element_type out, bool biased) {
  const auto type = input.form().type;
  const auto k = input.form().dim(1);
  auto m = random_matrix(c, n, k);
  const value x = c.input(std::move(input));
  const value w = c.input(std::move(m.weight));
  const value scale = c.input(std::move(m.scale));
  const value bias = biased ? c.input(c.normal(type, {n})) : nullptr;
  c.finish(linear(c.b, x, w, bias, f, out, scale));
  const auto &a = c.arguments;
  c.check([&](std::int64_t i) {
    const auto y = magnitude_of(a[0], a[1], a[2], biased ? &a[3] : nullptr, i);
    return steps(a[0]) * y.sum + 1.2 * y.flushed;
  });
}

linear_sizes random_sizes(composite_case &c) {
  return {c.pick({1, 2, 3, 5, 7, 13, 40}),
          c.pick({1, 2, 8, 20, 33, 64, 80, 129}),
          c.pick({1, 8, 20, 31, 33, 63, 64, 65, 80, 130})};
}

} // namespace

BOOST_AUTO_TEST_SUITE(composite_linear_int8)

BOOST_AUTO_TEST_CASE(linear_agrees_with_its_body) {
  unsigned seed = 1;
  for (const auto type : storage_types)
    for (const auto f : activations)
      for (const bool biased : {false, true})
        for (const auto out : {type, element_type::f32}) {
          composite_case c(seed++);
          const auto s = random_sizes(c);
          check_linear(c, c.normal(type, {s.rows, s.k}, 0.5), s.n, f, out,
                       biased);
        }
}

BOOST_AUTO_TEST_CASE(gated_linear_agrees_with_its_body) {
  unsigned seed = 1000;
  for (const auto type : storage_types)
    for (const auto f : activations)
      for (const bool biased : {false, true}) {
        composite_case c(seed++);
        const auto s = random_sizes(c);
        auto gate = random_matrix(c, s.n, s.k), up = random_matrix(c, s.n, s.k);
        const value x = c.input(c.normal(type, {s.rows, s.k}, 0.5));
        hlo::gated_weights w{c.input(std::move(gate.weight)),
                             c.input(std::move(up.weight))};
        w.gate_scale = c.input(std::move(gate.scale));
        w.up_scale = c.input(std::move(up.scale));
        if (biased) {
          w.gate_bias = c.input(c.normal(type, {s.n}));
          w.up_bias = c.input(c.normal(type, {s.n}));
        }
        c.finish(gated_linear(c.b, x, w, f, type));
        const auto &a = c.arguments;
        // |f(g)| <= |g|, so both factors' errors are relative to both sums.
        c.check([&](std::int64_t i) {
          const auto g =
              magnitude_of(a[0], a[1], a[3], biased ? &a[5] : nullptr, i);
          const auto u =
              magnitude_of(a[0], a[2], a[4], biased ? &a[6] : nullptr, i);
          return 3 * (steps(a[0]) * g.sum + g.flushed) * (u.sum + u.flushed);
        });
      }
}

// Every weight there is, at every place of a panel, alone in its sum.
BOOST_AUTO_TEST_CASE(every_weight_is_exact_at_every_place) {
  for (const auto type : storage_types) {
    composite_case c(2000);
    constexpr std::int64_t n = 255, k = 65;
    literal x(hlo::array_shape(type, {k, k}));
    for (std::int64_t i = 0; i < k; ++i)
      x.set_real(i * k + i, 1.0);
    literal w(hlo::array_shape(element_type::s8, {n, k}));
    for (std::int64_t i = 0; i < n * k; ++i)
      w.set_integer(i, (i / k + i % k * 37) % 255 - 127);
    literal scale(hlo::array_shape(element_type::f32, {n}));
    for (std::int64_t i = 0; i < n; ++i)
      scale.set_real(i, 0.25);
    const value x_in = c.input(std::move(x)), w_in = c.input(std::move(w));
    const value s_in = c.input(std::move(scale));
    c.finish(linear(c.b, x_in, w_in, nullptr, activation::none,
                    element_type::f32, s_in));
    const auto want = evaluate(*c.graph, c.arguments);
    for (const neuron::isa set : neuron::available_isas()) {
      bound_program p(neuron::compile(*c.graph, {set}), c.arguments);
      p.run({.threads = 2});
      const literal got = p.output(0);
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < n * k; ++i)
        wrong += got.real(i) != want.real(i);
      BOOST_TEST(wrong == 0, wrong << " outputs differ on " << to_string(set));
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_of_nan_stay_alone) {
  unsigned seed = 3000;
  for (const auto type : storage_types)
    for (const std::int64_t k : {20, 21}) {
      composite_case c(seed++);
      literal x = c.normal(type, {9, k});
      for (const std::int64_t row : {0, 4, 8})
        for (std::int64_t i = 0; i < k; ++i)
          x.set_real(row * k + i, std::numeric_limits<double>::quiet_NaN());
      check_linear(c, std::move(x), 70, activation::none, type, true);
    }
}

BOOST_AUTO_TEST_CASE(tiny_and_huge_numbers) {
  unsigned seed = 4000;
  for (const auto type : storage_types)
    for (const double scale : {1e-42, 1e-38, 1e-6, 300.0, 1e4, 1e15}) {
      if (type == element_type::f16 && scale > 1e4)
        continue;
      composite_case c(seed++);
      check_linear(c, c.normal(type, {5, 33}, scale), 65, activation::silu,
                   element_type::f32, false);
    }
}

BOOST_AUTO_TEST_SUITE_END()
