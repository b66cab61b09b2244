// Short forms for tests of the evaluator: build a graph of a few operations,
// run it, compare with numbers.
#pragma once

#include "hlo/builder.hpp"
#include "hlo/evaluator/evaluator.hpp"
#include "hlo/support/error.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

namespace ganglion::hlo::testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using graph = std::function<value(builder &, std::span<const value>)>;
using et = element_type;

inline literal array(et type, dims dimensions,
                     const std::vector<double> &values) {
  return literal::from_reals(array_shape(type, std::move(dimensions)), values);
}

inline literal vector_of(et type, const std::vector<double> &values) {
  return array(type, {static_cast<std::int64_t>(values.size())}, values);
}

/// For 64-bit integers, which double does not hold.
inline literal integers(et type, const std::vector<std::int64_t> &values) {
  literal out(array_shape(type, {static_cast<std::int64_t>(values.size())}));
  for (std::size_t i = 0; i < values.size(); ++i)
    out.set_integer(static_cast<std::int64_t>(i), values[i]);
  return out;
}

template <class... L>
std::vector<literal> list(L &&...literals) {
  std::vector<literal> out;
  (out.push_back(std::forward<L>(literals)), ...);
  return out;
}

/// Makes `make(parameters)` the entry of `m`, with parameters like `arguments`.
inline void set_entry(module &m, const graph &make,
                      std::span<const literal> arguments) {
  builder b(m, "main");
  std::vector<value> parameters;
  for (const auto &a : arguments)
    parameters.push_back(
        b.parameter(static_cast<std::int64_t>(parameters.size()), a.form(),
                    "p" + std::to_string(parameters.size())));
  m.set_entry(b.build(make(b, parameters)));
}

inline literal run(const graph &make, const std::vector<literal> &arguments) {
  module m("test");
  set_entry(m, make, arguments);
  return evaluate(m, arguments);
}

inline std::vector<double> reals(const literal &l) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < l.form().size(); ++i)
    out.push_back(l.real(i));
  return out;
}

inline bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b)
                       : a == b && std::signbit(a) == std::signbit(b);
}

/// Same numbers, NaN equal to NaN, and zeros of the same sign.
inline void expect(const literal &l, const std::vector<double> &wanted) {
  const auto got = reals(l);
  BOOST_REQUIRE_EQUAL(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    BOOST_TEST(same(got[i], wanted[i]),
               "element " << i << ": got " << got[i] << ", want " << wanted[i]);
}

inline void expect_integers(const literal &l,
                            const std::vector<std::int64_t> &wanted) {
  BOOST_REQUIRE_EQUAL(l.form().size(),
                      static_cast<std::int64_t>(wanted.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    BOOST_TEST(l.integer(static_cast<std::int64_t>(i)) == wanted[i]);
}

inline literal random_array(std::mt19937 &random, et type, dims dimensions,
                            double low = -2, double high = 2) {
  std::uniform_real_distribution<double> draw(low, high);
  literal out(array_shape(type, std::move(dimensions)));
  for (std::int64_t i = 0; i < out.form().size(); ++i)
    out.set_real(i, draw(random));
  return out;
}

/// A computation named `name` over parameters of the given scalar types.
inline computation *scalar_graph(module &m, const std::string &name,
                                 const std::vector<et> &types,
                                 const graph &make) {
  builder b(m, name);
  std::vector<value> parameters;
  for (const auto type : types)
    parameters.push_back(b.parameter(
        static_cast<std::int64_t>(parameters.size()), scalar_shape(type),
        "s" + std::to_string(parameters.size())));
  return b.build(make(b, parameters));
}

} // namespace ganglion::hlo::testing
