// The matrix products against their decompositions.
//
// The bound: an output is one chain of K multiply-adds in f32, each of which
// rounds at most twice, so it is off by at most (K + 1) u sum|x w| to first
// order (Higham 2002, 3.1), u = 2^-24; bias and activation add a few u of what
// they work on, and no activation has a slope above 1.2. The bf16 dot product
// of AVX-512 takes denormals for zero: 2^-126 for each factor and product.
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

/// sum |x w| + |bias| of every output, and what flushed denormals may add.
struct magnitudes {
  std::vector<double> sum, flushed;
};

magnitudes magnitudes_of(const literal &x, const literal &w,
                         const literal *bias) {
  const auto rows = x.form().dim(0), k = x.form().dim(1), n = w.form().dim(0);
  magnitudes m;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = bias ? std::abs(bias->real(j)) : 0, flushed = 0;
      for (std::int64_t i = 0; i < k; ++i) {
        const double a = std::abs(x.real(r * k + i));
        const double b = std::abs(w.real(j * k + i));
        sum += a * b;
        flushed += 1 + a + b;
      }
      m.sum.push_back(sum);
      m.flushed.push_back(flushed * 0x1p-126);
    }
  return m;
}

double steps(const literal &x) {
  return 1.2 * (static_cast<double>(x.form().dim(1)) + 16) * unit;
}

void check_linear(composite_case &c, activation f, element_type out) {
  const auto &a = c.arguments;
  const literal *bias = a.size() > 2 ? &a[2] : nullptr;
  const auto p = c.graph->computations()[0]->parameters();
  c.finish(linear(c.b, p[0], p[1], bias ? p[2] : nullptr, f, out));
  const auto m = magnitudes_of(a[0], a[1], bias);
  c.check([&](std::int64_t i) {
    return steps(a[0]) * m.sum[i] + 1.2 * m.flushed[i];
  });
}

void add_operands(composite_case &c, element_type type, bool biased,
                  literal x) {
  const auto k = x.form().dim(1);
  const auto n = c.pick({1, 8, 20, 63, 64, 65, 80, 130});
  c.input(std::move(x));
  c.input(c.normal(type, {n, k}));
  if (biased)
    c.input(c.normal(type, {n}));
}

hlo::dims random_rows(composite_case &c) {
  return {c.pick({1, 2, 3, 5, 7, 13, 70}), c.pick({1, 8, 20, 33, 64, 80, 129})};
}

} // namespace

BOOST_AUTO_TEST_SUITE(composite_linear)

BOOST_AUTO_TEST_CASE(linear_agrees_with_its_body) {
  unsigned seed = 1;
  for (const auto type : storage_types)
    for (const auto f : activations)
      for (const bool biased : {false, true})
        for (const auto out : {type, element_type::f32}) {
          composite_case c(seed++);
          add_operands(c, type, biased, c.normal(type, random_rows(c), 0.5));
          check_linear(c, f, out);
        }
}

BOOST_AUTO_TEST_CASE(gated_linear_agrees_with_its_body) {
  unsigned seed = 1000;
  for (const auto type : storage_types)
    for (const auto f : activations) {
      composite_case c(seed++);
      const auto d = random_rows(c);
      const auto n = c.pick({8, 20, 65, 130});
      const value x = c.input(c.normal(type, d, 0.5));
      const value gate = c.input(c.normal(type, {n, d[1]}));
      const value up = c.input(c.normal(type, {n, d[1]}));
      c.finish(gated_linear(c.b, x, {gate, up}, f, type));
      const auto &a = c.arguments;
      const auto g = magnitudes_of(a[0], a[1], nullptr);
      const auto u = magnitudes_of(a[0], a[2], nullptr);
      // |f(g)| <= |g|, so both factors' errors are relative to both sums.
      c.check([&](std::int64_t i) {
        return 3 * (steps(a[0]) * g.sum[i] + g.flushed[i]) *
               (u.sum[i] + u.flushed[i]);
      });
    }
}

BOOST_AUTO_TEST_CASE(gated_linear_with_biases_agrees_with_its_body) {
  unsigned seed = 1500;
  for (const auto type : storage_types)
    for (const auto f : activations) {
      composite_case c(seed++);
      const auto d = random_rows(c);
      const auto n = c.pick({8, 20, 65, 130});
      const value x = c.input(c.normal(type, d, 0.5));
      hlo::gated_weights w{c.input(c.normal(type, {n, d[1]})),
                           c.input(c.normal(type, {n, d[1]})),
                           c.input(c.normal(type, {n})),
                           c.input(c.normal(type, {n}))};
      c.finish(gated_linear(c.b, x, w, f, type));
      const auto &a = c.arguments;
      const auto g = magnitudes_of(a[0], a[1], &a[3]);
      const auto u = magnitudes_of(a[0], a[2], &a[4]);
      c.check([&](std::int64_t i) {
        return 3 * (steps(a[0]) * g.sum[i] + g.flushed[i]) *
               (u.sum[i] + u.flushed[i]);
      });
    }
}

BOOST_AUTO_TEST_CASE(rows_of_nan_stay_alone) {
  unsigned seed = 2000;
  for (const auto type : storage_types)
    for (const auto f : activations) {
      composite_case c(seed++);
      literal x = c.normal(type, {9, 20});
      for (const std::int64_t row : {0, 4, 8})
        for (std::int64_t i = 0; i < 20; ++i)
          x.set_real(row * 20 + i, std::numeric_limits<double>::quiet_NaN());
      add_operands(c, type, true, std::move(x));
      check_linear(c, f, type);
    }
}

BOOST_AUTO_TEST_CASE(tiny_and_huge_numbers) {
  unsigned seed = 3000;
  for (const auto type : storage_types)
    for (const auto f : activations)
      for (const double scale : {1e-42, 1e-38, 1e-6, 300.0, 1e4, 1e15}) {
        if (type == element_type::f16 && scale > 1e4)
          continue;
        composite_case c(seed++);
        add_operands(c, type, false, c.normal(type, {5, 33}, scale));
        // f(x) of 1e15 in f32: gelu's cube overflows alike in both.
        check_linear(c, f, element_type::f32);
      }
}

BOOST_AUTO_TEST_CASE(residual_add_agrees_with_its_body) {
  unsigned seed = 4000;
  for (const auto type : storage_types)
    for (const bool biased : {false, true})
      for (const std::int64_t width : {8, 20, 80, 129}) {
        composite_case c(seed++);
        const auto rows = c.pick({1, 3, 70});
        const value x = c.input(c.normal(element_type::f32, {rows, width}));
        const value y = c.input(c.normal(element_type::f32, {rows, width}));
        const value bias = biased ? c.input(c.normal(type, {width})) : nullptr;
        c.finish(residual_add(c.b, x, y, bias));
        c.check([](std::int64_t) { return 0.0; });
      }
}

BOOST_AUTO_TEST_SUITE_END()
