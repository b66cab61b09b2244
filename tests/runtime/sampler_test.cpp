#include "runtime/generation/random.hpp"
#include "runtime/generation/sampler.hpp"
#include "runtime/shard/row_sampler.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>
#include <random>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

const neuron::kernel_set &kernels() {
  return neuron::kernels_for(neuron::available_isas().back());
}

/// Scans all parts of a row and chooses.
chosen_token choose(runtime::sampler &s, std::span<const float> logits,
                    const sampler_state &state, std::int64_t position,
                    std::span<token_score> top = {}) {
  std::vector<neuron::vocabulary_scan> scans;
  std::vector<float> block_max(s.blocks());
  for (std::size_t part = 0; part < s.parts(); ++part)
    scans.push_back(s.scan(logits, part, block_max));
  return s.choose({logits, scans, block_max}, state, position, top);
}

/// Draws many tokens at different positions and returns their frequencies.
std::map<std::int32_t, double> frequencies(std::vector<float> logits,
                                           sampling_parameters p, int draws) {
  runtime::sampler s(logits.size(), kernels());
  sampler_state state;
  p.do_sample = true;
  p.seed = 42;
  state.begin(p, {}, logits.size());
  std::map<std::int32_t, double> out;
  for (int i = 0; i < draws; ++i) {
    auto row = logits;
    out[choose(s, row, state, i).token] += 1.0 / draws;
  }
  return out;
}

std::vector<double> softmax(const std::vector<float> &x, double temperature) {
  std::vector<double> out;
  double total = 0;
  for (const float v : x) {
    out.push_back(std::exp(v / temperature));
    total += out.back();
  }
  for (double &v : out)
    v /= total;
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sampler)

BOOST_AUTO_TEST_CASE(greedy_takes_the_lowest_of_equals) {
  for (const auto set : neuron::available_isas()) {
    runtime::sampler s(37, neuron::kernels_for(set));
    std::vector<float> logits(37, -1.0f);
    logits[11] = logits[30] = 2.0f;
    sampler_state state;
    const auto chosen = choose(s, logits, state, 0);
    BOOST_TEST(chosen.token == 11);
    const double expected =
        2.0 - std::log(2 * std::exp(2.0) + 35 * std::exp(-1.0));
    BOOST_TEST(std::abs(chosen.logprob - expected) < 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(parts_of_a_row_join) {
  constexpr std::size_t vocabulary = 10000;
  for (const auto set : neuron::available_isas()) {
    runtime::sampler s(vocabulary, neuron::kernels_for(set));
    BOOST_TEST(s.parts() == 3u);
    std::vector<float> logits(vocabulary);
    double total = 0;
    for (std::size_t i = 0; i < vocabulary; ++i)
      logits[i] = static_cast<float>(i * 7919 % 1000) * 0.01f;
    for (const std::size_t top : {9000u, 5000u, 70u}) {
      logits[top] = 12.0f; // the lowest of ever more equals
      total = 0;
      for (const float x : logits)
        total += std::exp(double(x) - 12.0);
      const auto chosen = choose(s, logits, {}, 0);
      BOOST_TEST(chosen.token == static_cast<std::int32_t>(top));
      BOOST_TEST(std::abs(chosen.logprob + std::log(total)) < 1e-5);
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_choose_alike_for_any_team) {
  constexpr std::size_t vocabulary = 9001, rows = 5;
  std::mt19937 random(3);
  std::normal_distribution<float> draw(0.0f, 2.0f);
  std::vector<float> logits(rows * vocabulary);
  for (float &x : logits)
    x = draw(random);
  std::vector<sampler_state> slots(rows);
  std::vector<logit_request> wanted(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    sampling_parameters p;
    p.do_sample = i % 2 == 1;
    p.top_k = 50;
    p.repetition_penalty = i == 2 ? 1.5f : 1.0f;
    slots[i].begin(p, std::vector<std::int32_t>{4, 5000, 9000}, vocabulary);
    wanted[i].slot = static_cast<std::int32_t>(rows - 1 - i);
    wanted[i].position = static_cast<std::int32_t>(i);
    wanted[i].sample = i != 3;
  }
  std::vector<chosen_token> want;
  for (const int members : {1, 2, 3}) {
    row_sampler s(vocabulary, rows, 3, members, kernels());
    neuron::thread_team team(members, {}, false);
    s.choose(team, wanted, slots, logits.data());
    if (want.empty())
      want.assign(s.choices().begin(), s.choices().end());
    for (std::size_t i = 0; i < rows; ++i) {
      BOOST_TEST(s.choices()[i].token == want[i].token);
      BOOST_TEST(s.choices()[i].logprob == want[i].logprob);
    }
  }
}

BOOST_AUTO_TEST_CASE(draws_follow_the_softmax) {
  const std::vector<float> logits{0.5f, -1.0f, 1.5f, 0.0f, 2.0f, -3.0f};
  sampling_parameters p;
  p.temperature = 0.7f;
  const auto got = frequencies(logits, p, 40000);
  const auto want = softmax(logits, 0.7);
  for (std::size_t i = 0; i < logits.size(); ++i)
    BOOST_TEST(std::abs(got.count(int(i)) ? got.at(int(i)) - want[i]
                                          : want[i]) < 0.01);
}

BOOST_AUTO_TEST_CASE(top_k_and_top_p_keep_what_huggingface_keeps) {
  const std::vector<float> logits{std::log(0.4f), std::log(0.3f),
                                  std::log(0.2f), std::log(0.1f)};
  sampling_parameters p;
  p.top_k = 2;
  BOOST_TEST(frequencies(logits, p, 2000).size() == 2u);
  p.top_k = 0;
  p.top_p = 0.6f; // 0.4 < 0.6, so the token that crosses it stays
  BOOST_TEST(frequencies(logits, p, 2000).size() == 2u);
  p.top_p = 0.75f;
  BOOST_TEST(frequencies(logits, p, 2000).size() == 3u);
  p.top_p = 0.01f;
  BOOST_TEST(frequencies(logits, p, 2000).size() == 1u);
}

BOOST_AUTO_TEST_CASE(nucleus_over_a_large_vocabulary) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal(0.0f, 1.0f);
  std::vector<float> logits(5000);
  for (float &x : logits)
    x = normal(random);
  auto probabilities = softmax(logits, 1.0);
  std::vector<double> sorted = probabilities;
  std::sort(sorted.rbegin(), sorted.rend());
  double mass = 0;
  std::size_t kept = 0;
  while (mass < 0.5)
    mass += sorted[kept++];
  sampling_parameters p;
  p.top_p = 0.5f;
  for (const auto &[token, share] : frequencies(logits, p, 3000))
    BOOST_TEST(probabilities[token] >= sorted[kept - 1] * (1 - 1e-6));
}

BOOST_AUTO_TEST_CASE(repetition_penalty_as_huggingface) {
  runtime::sampler s(3, kernels());
  sampler_state state;
  sampling_parameters p;
  p.repetition_penalty = 2.0f;
  const std::vector<std::int32_t> history{0, 1};
  state.begin(p, history, 3);
  // 2 / 2 is less than 1.5, and -1 * 2 less than -1.5.
  BOOST_TEST(choose(s, std::vector{2.0f, -1.0f, 1.5f}, state, 0).token == 2);
  BOOST_TEST(choose(s, std::vector{-9.0f, -1.0f, -1.5f}, state, 0).token == 2);
}

BOOST_AUTO_TEST_CASE(draws_depend_on_seed_and_position_alone) {
  const auto key = choice_key(1, 0, 5);
  BOOST_TEST(key == choice_key(1, 0, 5));
  BOOST_TEST(key != choice_key(2, 0, 5));
  BOOST_TEST(key != choice_key(1, 1, 5));
  BOOST_TEST(key != choice_key(1, 0, 6));
  BOOST_TEST(gumbel_noise(key, 3) != gumbel_noise(key, 4));
}

BOOST_AUTO_TEST_SUITE_END()
