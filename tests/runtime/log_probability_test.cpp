// Log-probabilities of rows of logits against a log-softmax in double.
#include "runtime/generation/sampler.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

std::vector<float> random_logits(std::size_t vocabulary, float spread) {
  std::mt19937 random(17);
  std::normal_distribution<float> draw(0.0f, spread);
  std::vector<float> out(vocabulary);
  for (float &x : out)
    x = draw(random);
  return out;
}

std::vector<double> log_softmax(const std::vector<float> &x) {
  const double top = *std::max_element(x.begin(), x.end());
  double total = 0;
  for (const float v : x)
    total += std::exp(v - top);
  std::vector<double> out;
  for (const float v : x)
    out.push_back(v - top - std::log(total));
  return out;
}

/// Ids by logit, the lower id among equals.
std::vector<std::int32_t> ranked(const std::vector<float> &x) {
  std::vector<std::int32_t> ids(x.size());
  std::iota(ids.begin(), ids.end(), 0);
  std::stable_sort(ids.begin(), ids.end(),
                   [&](auto a, auto b) { return x[a] > x[b]; });
  return ids;
}

/// A sampler and a row that it has scanned.
struct scanned {
  explicit scanned(std::vector<float> row, neuron::isa set)
      : logits(std::move(row)),
        with(logits.size(), neuron::kernels_for(set)),
        block_max(with.blocks()) {
    for (std::size_t part = 0; part < with.parts(); ++part)
      parts.push_back(with.scan(logits, part, block_max));
  }
  scanned_row row() const { return {logits, parts, block_max}; }

  std::vector<float> logits;
  runtime::sampler with;
  std::vector<float> block_max;
  std::vector<neuron::vocabulary_scan> parts;
};

constexpr std::size_t sizes[] = {1, 5, 64, 1000, 32000, 100003};

} // namespace

BOOST_AUTO_TEST_SUITE(log_probability)

BOOST_AUTO_TEST_CASE(given_and_likeliest_tokens) {
  for (const auto set : neuron::available_isas())
    for (const std::size_t size : sizes) {
      scanned s(random_logits(size, 4.0f), set);
      const auto want = log_softmax(s.logits);
      const auto order = ranked(s.logits);
      std::vector<token_score> top(20);
      const auto given = static_cast<std::int32_t>(size / 2);
      const auto got = s.with.score(s.row(), given, top);
      BOOST_TEST(got.token == given);
      BOOST_TEST(std::abs(got.logprob - want[size / 2]) < 3e-6);
      BOOST_REQUIRE(got.top_count ==
                    static_cast<std::int32_t>(std::min<std::size_t>(20, size)));
      for (int i = 0; i < got.top_count; ++i) {
        BOOST_TEST(top[i].token == order[i]);
        BOOST_TEST(std::abs(top[i].logprob - want[order[i]]) < 2e-6);
      }
    }
}

BOOST_AUTO_TEST_CASE(equals_come_by_id) {
  for (const auto set : neuron::available_isas()) {
    scanned s(std::vector<float>(5000, 0.25f), set);
    s.logits[4000] = s.logits[70] = 0.5f;
    scanned t(s.logits, set);
    std::vector<token_score> top(6);
    t.with.score(t.row(), 0, top);
    std::vector<std::int32_t> ids;
    for (const auto &x : top)
      ids.push_back(x.token);
    BOOST_TEST(ids == (std::vector<std::int32_t>{70, 4000, 0, 1, 2, 3}),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(chosen_tokens_tell_the_models_own_after_penalties) {
  for (const auto set : neuron::available_isas()) {
    scanned s(random_logits(3000, 2.0f), set);
    const auto order = ranked(s.logits);
    sampling_parameters p;
    p.repetition_penalty = 100.0f; // keeps the likeliest from coming again
    sampler_state state;
    state.begin({.parameters = p, .prompt_length = 1}, std::vector{order[0]},
                s.logits.size());
    std::vector<token_score> top(1);
    const auto got = s.with.choose(s.row(), state, 7, top);
    BOOST_TEST(got.token == order[1]);
    BOOST_TEST(top[0].token == order[0]);
    BOOST_TEST(std::abs(got.logprob - log_softmax(s.logits)[order[1]]) < 3e-6);
  }
}

BOOST_AUTO_TEST_SUITE_END()
