// One composite as a small module with its arguments, and the comparison of
// its kernels with its decomposition.
#pragma once

#include "hlo/builder.hpp"
#include "hlo/evaluator/evaluator.hpp"
#include "tests/neuron/program_runner.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <random>

namespace ganglion::testing {

using hlo::element_type;
using hlo::literal;
using hlo::value;

inline const std::vector<element_type> storage_types = {
    element_type::f32, element_type::bf16, element_type::f16};

/// Half a unit in the last place of f32, relative.
inline constexpr double unit = 0x1p-24;

/// The distance between neighbours of `type` around x.
inline double ulp_of(element_type type, double x) {
  const int digits = type == element_type::f32    ? 23
                     : type == element_type::bf16 ? 7
                                                  : 10;
  const int lowest = type == element_type::f16 ? -14 : -126;
  const int exponent = x == 0 ? lowest : std::max(std::ilogb(x), lowest);
  return std::ldexp(1.0, exponent - digits);
}

inline double largest(element_type type) {
  return type == element_type::f16 ? 65536.0 : 0x1p128;
}

/// Within 2 ulp of `type` and `slack`; NaN equals NaN, and infinity stands
/// for the number after the largest one.
inline bool agrees(element_type type, double got, double want, double slack) {
  if (std::isnan(got) || std::isnan(want))
    return std::isnan(got) && std::isnan(want);
  const double most = largest(type);
  got = std::clamp(got, -most, most);
  want = std::clamp(want, -most, most);
  const double top = std::min(std::abs(want), most / 2);
  return std::abs(got - want) <= 2 * ulp_of(type, top) + slack;
}

class composite_case {
public:
  explicit composite_case(unsigned seed)
      : random(seed),
        graph(std::make_unique<hlo::module>("case")),
        b(*graph, "main") {}

  value input(literal v) {
    arguments.push_back(std::move(v));
    return b.parameter(static_cast<std::int64_t>(arguments.size()) - 1,
                       arguments.back().form(),
                       "p" + std::to_string(arguments.size() - 1));
  }

  /// Normal numbers times `scale`, with exact zeros of both signs among them.
  literal normal(element_type type, hlo::dims d, double scale = 1.0) {
    literal out(hlo::array_shape(type, std::move(d)));
    std::normal_distribution<double> draw(0.0, scale);
    for (std::int64_t i = 0; i < out.form().size(); ++i) {
      const auto roll = random() % 32;
      out.set_real(i, roll == 0 ? 0.0 : roll == 1 ? -0.0 : draw(random));
    }
    return out;
  }

  literal integers(hlo::dims d, std::int32_t low, std::int32_t high) {
    literal out(hlo::array_shape(element_type::s32, std::move(d)));
    std::uniform_int_distribution<std::int32_t> draw(low, high);
    for (std::int64_t i = 0; i < out.form().size(); ++i)
      out.set_integer(i, draw(random));
    return out;
  }

  /// A number from the list.
  std::int64_t pick(std::initializer_list<std::int64_t> list) {
    return list.begin()[random() % list.size()];
  }

  void finish(value root) { graph->set_entry(b.build(root)); }

  /// Runs the kernel on every instruction set and compares with the body;
  /// `slack(i)` bounds what element i of the result may be off beyond 2 ulp.
  void check(const std::function<double(std::int64_t)> &slack) const {
    const auto want = arrays_of(evaluate(*graph, arguments));
    for (const neuron::isa set : neuron::available_isas()) {
      bound_program p(neuron::compile(*graph, {set}), arguments);
      BOOST_REQUIRE_MESSAGE(is_kernel(p.code()),
                            "no kernel was chosen: " << p.code().print());
      p.run({.threads = 2});
      for (std::size_t k = 0; k < want.size(); ++k)
        compare(p.output(k), want[k], slack, p.code().print());
    }
  }

  /// Every instruction set, with one thread and two, has the body's numbers.
  void check_equal() const {
    const auto want = arrays_of(evaluate(*graph, arguments));
    for (const neuron::isa set : neuron::available_isas())
      for (const int threads : {1, 2}) {
        bound_program p(neuron::compile(*graph, {set}), arguments);
        BOOST_REQUIRE_MESSAGE(is_kernel(p.code()),
                              "no kernel was chosen: " << p.code().print());
        p.run({.threads = threads});
        for (std::size_t k = 0; k < want.size(); ++k) {
          const literal got = p.output(k);
          std::int64_t wrong = 0;
          for (std::int64_t i = 0; i < want[k].form().size(); ++i)
            wrong += !same(got.real(i), want[k].real(i));
          BOOST_TEST(wrong == 0, wrong << " differ: " << p.code().print());
        }
      }
  }

  std::mt19937 random;
  std::unique_ptr<hlo::module> graph;
  hlo::builder b;
  std::vector<literal> arguments;

private:
  /// Whether kernels do it all.
  static bool is_kernel(const neuron::program &code) {
    for (const auto &call : code.calls)
      if (call.single)
        return false;
    return !code.calls.empty();
  }

  static bool same(double got, double want) {
    return got == want || (std::isnan(got) && std::isnan(want));
  }

  static void compare(const literal &got, const literal &want,
                      const std::function<double(std::int64_t)> &slack,
                      const std::string &where) {
    const auto type = want.form().type;
    std::int64_t wrong = 0, first = -1;
    for (std::int64_t i = 0; i < want.form().size(); ++i)
      if (!agrees(type, got.real(i), want.real(i), slack(i)) && wrong++ == 0)
        first = i;
    BOOST_TEST(wrong == 0, where << wrong << " of " << want.form().size()
                                 << " elements differ; element " << first
                                 << " is "
                                 << got.real(std::max<std::int64_t>(first, 0))
                                 << " instead of "
                                 << want.real(std::max<std::int64_t>(first, 0))
                                 << ", accepted: +-"
                                 << slack(std::max<std::int64_t>(first, 0)));
  }
};

} // namespace ganglion::testing
