// Choosing tokens takes no memory from the heap, whatever the parameters.
#include "runtime/grammar/compile.hpp"
#include "runtime/shard/row_sampler.hpp"
#include "tests/neuron/heap_calls.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// A grammar that any token may go on with, in ever new states.
std::shared_ptr<runtime::grammar::token_grammar> grammar_of(std::size_t size) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < size; ++i)
    tokens.push_back(std::string(1 + i % 7, static_cast<char>('a' + i % 26)));
  return std::make_shared<runtime::grammar::token_grammar>(
      runtime::grammar::compile(
          {runtime::output_kind::regex, "[a-z]{5000}[a-z]*", {}}),
      std::make_shared<const runtime::grammar::token_trie>(std::move(tokens)));
}

/// Everything at once, and nothing.
std::vector<runtime::sampled_sequence> sequences(std::size_t vocabulary) {
  std::vector<runtime::sampled_sequence> out(4);
  for (auto &s : out)
    s.max_length = 500;
  auto &p = out[1].parameters;
  p.do_sample = true;
  p.top_p = 0.95f;
  p.typical_p = 0.98f;
  p.min_p = 1e-4f;
  p.epsilon_cutoff = 1e-5f;
  p.eta_cutoff = 1e-5f;
  p.top_n_sigma = 4;
  p.repetition_penalty = 1.2f;
  p.frequency_penalty = 0.1f;
  p.no_repeat_ngram_size = 2;
  auto &rules = p.own_rules();
  rules.bad_words_ids = {{1, 2}, {3}};
  rules.logit_bias = {{4, 1.0f}};
  rules.suppress_tokens = {5};
  out[2].parameters.do_sample = true;
  out[2].parameters.top_k = 50;
  out[2].processed_logprobs = true;
  out[2].parameters.own_rules().allowed_token_ids = {7, 8, 9, 4000};
  out[3].parameters.grammar = grammar_of(vocabulary);
  out[3].parameters.own_rules().end_token_ids = {0};
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sampling_allocations)

BOOST_AUTO_TEST_CASE(rows_are_sampled_without_the_heap) {
  constexpr std::size_t vocabulary = 20000;
  const auto all = sequences(vocabulary);
  std::mt19937 random(3);
  std::normal_distribution<float> draw(0.0f, 2.0f);
  std::vector<float> logits(all.size() * vocabulary);
  for (float &x : logits)
    x = draw(random);
  std::vector<runtime::sampler_state> slots(all.size());
  std::vector<runtime::logit_request> wanted(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    slots[i].begin(all[i], std::vector<std::int32_t>{1, 2, 3}, vocabulary);
    wanted[i].slot = static_cast<std::int32_t>(i);
    wanted[i].top = 5;
  }
  runtime::row_sampler sampler(vocabulary, all.size(), 5, 2,
                               neuron::kernels_for(neuron::isa::portable));
  neuron::thread_team team(2, {}, false);
  const long before = heap_calls();
  for (std::int64_t step = 0; step < 100; ++step) {
    for (auto &want : wanted)
      want.position = step;
    sampler.choose(team, wanted, {}, slots, logits.data());
    for (std::size_t i = 0; i < all.size(); ++i) {
      slots[i].append(sampler.choices()[i].token);
      slots[i].roll_back(1);
      slots[i].append(sampler.choices()[i].token);
    }
  }
  BOOST_TEST(heap_calls() == before);
}

BOOST_AUTO_TEST_SUITE_END()
