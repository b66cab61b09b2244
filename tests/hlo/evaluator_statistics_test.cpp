#include "hlo/builder.hpp"
#include "hlo/evaluator/evaluator.hpp"
#include "hlo/passes/pass_pipeline.hpp"
#include "tests/hlo/hlo_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::testing;

namespace {

literal run(const module &m, std::vector<literal> arguments = {}) {
  return evaluate(m, arguments);
}

literal drawn(const std::string &type, const std::string &low,
              const std::string &high, const std::string &distribution,
              const std::string &more = {}) {
  return run(*parse(
      in_module("a = " + type + "[] constant(" + low + ")\nb = " + type +
                "[] constant(" + high + ")\nROOT r = " + type +
                "[10000] rng(a, b), distribution=" + distribution + more),
      "case"));
}

struct moments {
  double mean = 0, deviation = 0, least = INFINITY, most = -INFINITY;
};

moments moments_of(const literal &l) {
  moments out;
  const auto n = l.form().size();
  for (std::int64_t i = 0; i < n; ++i) {
    out.mean += l.real(i) / static_cast<double>(n);
    out.least = std::min(out.least, l.real(i));
    out.most = std::max(out.most, l.real(i));
  }
  for (std::int64_t i = 0; i < n; ++i)
    out.deviation += std::pow(l.real(i) - out.mean, 2) / static_cast<double>(n);
  out.deviation = std::sqrt(out.deviation);
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_statistics)

BOOST_AUTO_TEST_CASE(batch_norm_normalises_each_feature) {
  const auto m = parse(
      in_module("x = f32[2,2,2] parameter(0)\ns = f32[2] parameter(1)\n"
                "o = f32[2] parameter(2)\n"
                "ROOT n = (f32[2,2,2], f32[2], f32[2]) "
                "batch-norm-training(x, s, o), epsilon=0.5, feature_index=1"),
      "case");
  std::vector<literal> arguments;
  arguments.push_back(literal::from_floats(
      {2, 2, 2}, std::vector<float>{1, 2, 10, 10, 3, 6, 10, 10}));
  arguments.push_back(literal::from_floats({2}, std::vector<float>{2, 3}));
  arguments.push_back(literal::from_floats({2}, std::vector<float>{1, -1}));
  const auto out = run(*m, std::move(arguments));
  BOOST_TEST(out.elements()[1].real(0) == 3);
  BOOST_TEST(out.elements()[1].real(1) == 10);
  BOOST_TEST(out.elements()[2].real(0) == 3.5);
  BOOST_TEST(out.elements()[2].real(1) == 0);
  const double want[] = {-1, 0, -1, -1, 1, 4, -1, -1};
  for (std::int64_t i = 0; i < 8; ++i)
    BOOST_TEST(out.elements()[0].real(i) == want[i]);
}

BOOST_AUTO_TEST_CASE(uniform_numbers_fill_their_range) {
  for (const std::string type : {"f32", "bf16", "f16", "f64"}) {
    const auto m = moments_of(drawn(type, "-1", "3", "rng_uniform"));
    BOOST_TEST(m.least >= -1);
    BOOST_TEST(m.most < 3);
    BOOST_TEST(std::abs(m.mean - 1) < 0.05);
    BOOST_TEST(std::abs(m.deviation - 4 / std::sqrt(12.0)) < 0.05);
  }
  const auto m = moments_of(drawn("s32", "-2", "3", "rng_uniform"));
  BOOST_TEST(m.least == -2);
  BOOST_TEST(m.most == 2);
  BOOST_TEST(moments_of(drawn("s32", "5", "5", "rng_uniform")).most == 5);
}

BOOST_AUTO_TEST_CASE(normal_numbers_have_their_moments) {
  const auto m = moments_of(drawn("f32", "2", "0.5", "rng_normal"));
  BOOST_TEST(std::abs(m.mean - 2) < 0.02);
  BOOST_TEST(std::abs(m.deviation - 0.5) < 0.02);
  BOOST_TEST(m.most > 3);
}

BOOST_AUTO_TEST_CASE(streams_differ_and_repeat) {
  const auto stream = [](const std::string &n) {
    return drawn("f32", "0", "1", "rng_uniform",
                 ", frontend_attributes={rng.stream=\"" + n + "\"}");
  };
  const auto one = stream("1"), again = stream("1"), two = stream("2");
  BOOST_TEST(one.real(77) == again.real(77));
  BOOST_TEST(one.real(77) != two.real(77));
  BOOST_TEST(contains(refusal([&] { stream("x"); }), "rng.stream"));
}

// Every draw of a builder is another, and stays so through the passes.
BOOST_AUTO_TEST_CASE(passes_keep_draws_apart) {
  module m("draws");
  builder b(m, "main");
  const auto low = b.constant_real(element_type::f32, 0),
             high = b.constant_real(element_type::f32, 1);
  m.set_entry(b.build(b.tuple(std::array{b.rng_uniform(low, high, {3}),
                                         b.rng_uniform(low, high, {3})})));
  const auto before = run(m);
  simplification_pipeline().run(m);
  const auto after = run(m);
  BOOST_TEST(before.elements()[0].real(0) != before.elements()[1].real(0));
  for (std::size_t k = 0; k < 2; ++k)
    BOOST_TEST(before.elements()[k].real(2) == after.elements()[k].real(2));
}

BOOST_AUTO_TEST_CASE(wrong_shapes_are_refused) {
  const auto refused = [](const std::string &lines) {
    return refusal([&] { parse(in_module(lines), "case"); });
  };
  BOOST_TEST(contains(
      refused("x = f32[2,2] parameter(0)\ns = f32[3] parameter(1)\n"
              "ROOT n = (f32[2,2], f32[2], f32[2]) batch-norm-training(x, s, "
              "s), epsilon=0, feature_index=1"),
      "a scale and an offset per feature"));
  BOOST_TEST(contains(refused("a = s32[] constant(0)\nROOT r = s32[2] rng(a, "
                              "a), distribution=rng_normal"),
                      "normal numbers are floating"));
  BOOST_TEST(contains(refused("a = s32[] constant(0)\nROOT r = s32[2] rng(a, "
                              "a), distribution=poisson"),
                      "rng_uniform or rng_normal"));
}

BOOST_AUTO_TEST_SUITE_END()
