#include "runtime/generation/random.hpp"
#include "runtime/generation/sampler.hpp"
#include "runtime/grammar/compile.hpp"
#include "runtime/shard/row_sampler.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

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

sampler_state state_of(const sampling_parameters &p, std::size_t vocabulary,
                       const std::vector<std::int32_t> &history = {}) {
  sampled_sequence sequence;
  sequence.parameters = p;
  sequence.prompt_length = history.size();
  sampler_state out;
  out.begin(sequence, history, vocabulary);
  return out;
}

/// Draws many tokens at different positions and returns how often each came.
std::map<std::int32_t, double> counts(const std::vector<float> &logits,
                                      sampling_parameters p, int draws) {
  runtime::sampler s(logits.size(), kernels());
  p.do_sample = true;
  p.seed = 42;
  const auto state = state_of(p, logits.size());
  std::map<std::int32_t, double> out;
  for (int i = 0; i < draws; ++i)
    ++out[choose(s, logits, state, i).token];
  return out;
}

std::map<std::int32_t, double> frequencies(const std::vector<float> &logits,
                                           const sampling_parameters &p,
                                           int draws) {
  auto out = counts(logits, p, draws);
  for (auto &[token, share] : out)
    share /= draws;
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
    const auto chosen = choose(s, logits, state_of({}, 37), 0);
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
      const auto chosen = choose(s, logits, state_of({}, vocabulary), 0);
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
    slots[i] = state_of(p, vocabulary, {4, 5000, 9000});
    wanted[i].slot = static_cast<std::int32_t>(rows - 1 - i);
    wanted[i].position = static_cast<std::int32_t>(i);
    wanted[i].sample = i != 3;
  }
  std::vector<chosen_token> want;
  for (const int members : {1, 2, 3}) {
    row_sampler s(vocabulary, rows, 3, members, kernels());
    neuron::thread_team team(members, {}, false);
    s.choose(team, wanted, {}, slots, logits.data());
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
  sampling_parameters p;
  p.repetition_penalty = 2.0f;
  const auto state = state_of(p, 3, {0, 1});
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

/// Chi-square of draws against a distribution, per degree of freedom; tokens
/// that are expected fewer than five times are taken together.
double chi_square(const std::map<std::int32_t, double> &seen,
                  const std::vector<double> &probabilities, int draws) {
  double sum = 0, rare_seen = 0, rare_expected = 0, cells = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const auto found = seen.find(static_cast<std::int32_t>(i));
    const double times = found == seen.end() ? 0 : found->second;
    const double expected = probabilities[i] * draws;
    if (expected < 5) {
      rare_seen += times;
      rare_expected += expected;
      continue;
    }
    sum += (times - expected) * (times - expected) / expected;
    ++cells;
  }
  if (rare_expected >= 5) {
    sum += (rare_seen - rare_expected) * (rare_seen - rare_expected) /
           rare_expected;
    ++cells;
  }
  return (sum - (cells - 1)) / std::sqrt(2 * (cells - 1));
}

BOOST_AUTO_TEST_CASE(draws_agree_with_the_softmax_by_chi_square) {
  std::mt19937 random(23);
  std::normal_distribution<float> normal(0.0f, 2.0f);
  for (const std::size_t size : {5u, 60u, 3000u}) {
    std::vector<float> logits(size);
    for (float &x : logits)
      x = normal(random);
    constexpr int draws = 30000;
    for (const float temperature : {1.0f, 0.6f}) {
      sampling_parameters p;
      p.temperature = temperature;
      const double deviation = chi_square(counts(logits, p, draws),
                                          softmax(logits, temperature), draws);
      BOOST_TEST(std::abs(deviation) < 3.5, size << " " << deviation);
    }
  }
}

/// The token that a draw gives when every token's noise is looked at.
std::int32_t drawn_naively(const std::vector<float> &logits,
                           const std::set<std::int32_t> *kept,
                           const sampling_parameters &p, int position) {
  const auto key = choice_key(p.seed, 0, static_cast<std::uint64_t>(position));
  double highest = -INFINITY;
  std::int32_t best = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const auto token = static_cast<std::int32_t>(i);
    if (kept && !kept->contains(token))
      continue;
    const double noisy = double(logits[i] / p.temperature) +
                         gumbel_noise(key, static_cast<std::uint64_t>(i));
    if (noisy > highest) {
      highest = noisy;
      best = token;
    }
  }
  return best;
}

BOOST_AUTO_TEST_CASE(skipped_tokens_could_not_have_won) {
  std::mt19937 random(29);
  for (const float spread : {0.0f, 1.0f, 6.0f}) {
    std::normal_distribution<float> normal(0.0f, spread + 1e-3f);
    std::vector<float> logits(9001);
    for (float &x : logits)
      x = spread == 0 ? 0.25f : normal(random);
    sampling_parameters p;
    p.do_sample = true;
    p.seed = 5;
    p.temperature = 0.9f;
    for (const auto set : neuron::available_isas()) {
      runtime::sampler s(logits.size(), neuron::kernels_for(set));
      const auto state = state_of(p, logits.size());
      for (int position = 0; position < 200; ++position)
        BOOST_TEST(choose(s, logits, state, position).token ==
                   drawn_naively(logits, nullptr, p, position));
    }
  }
}

/// The tokens that top-p keeps, by sorting all of them.
std::set<std::int32_t> nucleus_of(const std::vector<float> &logits,
                                  double top_p) {
  const auto probabilities = softmax(logits, 1.0);
  std::vector<std::int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a > b;
  });
  std::set<std::int32_t> out;
  double before = 0;
  for (const auto token : order) {
    if (before >= top_p)
      break;
    out.insert(token);
    before += probabilities[token];
  }
  return out;
}

BOOST_AUTO_TEST_CASE(nuclei_of_large_vocabularies_are_those_of_a_sort) {
  std::mt19937 random(31);
  std::normal_distribution<float> normal(0.0f, 1.0f);
  std::vector<float> logits(20011);
  for (const bool lumpy : {false, true}) {
    for (float &x : logits)
      x = lumpy ? std::round(normal(random) * 8) / 8 : normal(random);
    for (const float top_p : {0.1f, 0.5f, 0.9f, 0.999f}) {
      const auto want = nucleus_of(logits, top_p);
      for (const auto set : neuron::available_isas()) {
        std::vector<float> scores(logits.size()), weights(logits.size());
        std::vector<scored_candidate> candidates(logits.size());
        std::vector<std::int32_t> tokens(logits.size()), places(logits.size());
        weighted_row row(neuron::kernels_for(set),
                         {scores, weights, tokens, places, candidates}, logits,
                         *std::max_element(logits.begin(), logits.end()), 1);
        row.keep_nearest(row.top(), top_p, false);
        std::size_t kept = 0, strange = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
          if (row.weights()[i] == 0)
            continue;
          ++kept;
          strange += !want.contains(row.token(i));
        }
        strange += std::max(kept, want.size()) - std::min(kept, want.size());
        // Sums in f32 may move the edge by a token or two.
        BOOST_TEST(strange <= 2u, top_p << " " << lumpy << " " << strange);
        BOOST_TEST(kept > 0u);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_chosen_from_is_told) {
  for (const auto set : neuron::available_isas())
    for (const float bad : {NAN, INFINITY}) {
      runtime::sampler s(5000, neuron::kernels_for(set));
      std::vector<float> logits(5000, 1.0f);
      logits[4321] = bad;
      for (const bool drawn : {false, true}) {
        sampling_parameters p;
        p.do_sample = drawn;
        const auto state = state_of(p, 5000);
        BOOST_TEST(
            (choose(s, logits, state, 0).status == token_status::not_finite));
      }
    }
  runtime::sampler s(3, kernels());
  sampling_parameters p;
  p.own_rules().suppress_tokens = {0, 1, 2};
  const auto state = state_of(p, 3);
  BOOST_TEST((choose(s, std::vector{1.0f, 2.0f, 3.0f}, state, 0).status ==
              token_status::none_left));
  // Some of the model's own may be -infinite.
  const auto rest = state_of({}, 3);
  const auto chosen =
      choose(s, std::vector{-INFINITY, 2.0f, -INFINITY}, rest, 0);
  BOOST_TEST(chosen.token == 1);
  BOOST_TEST(chosen.logprob == 0.0f);
}

BOOST_AUTO_TEST_CASE(a_grammar_has_the_last_word) {
  // Tokens 0 to 199 are "a", the others "b"; 7 ends the text.
  std::vector<std::string> tokens(300, "a");
  std::fill(tokens.begin() + 200, tokens.end(), "b");
  const auto grammar = std::make_shared<runtime::grammar::token_grammar>(
      runtime::grammar::compile({runtime::output_kind::regex, "ab?", {}}),
      std::make_shared<const runtime::grammar::token_trie>(tokens));
  std::vector<float> logits(300);
  for (std::size_t i = 0; i < logits.size(); ++i)
    logits[i] = static_cast<float>(i) / 10;
  runtime::sampler s(300, kernels());
  sampling_parameters p;
  p.grammar = grammar;
  auto &rules = p.own_rules();
  rules.end_token_ids = {7};
  rules.logit_bias = {{250, 1000.0f}};
  auto state = state_of(p, 300);
  const auto chosen = [&] { return choose(s, logits, state, 0); };
  BOOST_TEST(chosen().token == 199);
  state.append(199);
  BOOST_TEST(chosen().token == 250); // the bias is of a token that may follow
  state.append(250);
  BOOST_TEST(chosen().token == 7);
  state.append(7);
  BOOST_TEST((chosen().status == token_status::none_left));
  state.roll_back(2);
  BOOST_TEST(chosen().token == 250);
  // What others forbid stays forbidden.
  p.own_rules().suppress_tokens = {7};
  state = state_of(p, 300);
  state.append(0);
  state.append(200);
  BOOST_TEST((chosen().status == token_status::none_left));
}

BOOST_AUTO_TEST_CASE(processed_log_probs_are_those_of_what_was_drawn_from) {
  std::vector<float> logits{1.0f, 2.0f, 3.0f, 4.0f};
  for (const bool drawn : {false, true}) {
    sampled_sequence sequence;
    sequence.processed_logprobs = true;
    sequence.parameters.do_sample = drawn;
    sequence.parameters.top_k = 2;
    sequence.parameters.temperature = 0.5f;
    sequence.parameters.own_rules().suppress_tokens = {3};
    sampler_state state;
    state.begin(sequence, {}, logits.size());
    runtime::sampler s(logits.size(), kernels());
    std::vector<token_score> top(4);
    const auto got = choose(s, logits, state, 0, top);
    BOOST_TEST(got.top_count == (drawn ? 2 : 3));
    const auto want =
        drawn ? softmax({2.0f, 3.0f}, 0.5) : softmax({1.0f, 2.0f, 3.0f}, 1.0);
    BOOST_TEST(top[0].token == 2);
    BOOST_TEST(std::abs(top[0].logprob - std::log(want.back())) < 1e-6);
    BOOST_TEST(top[1].token == 1);
    BOOST_TEST(std::abs(top[1].logprob - std::log(want[want.size() - 2])) <
               1e-6);
  }
}

BOOST_AUTO_TEST_SUITE_END()
