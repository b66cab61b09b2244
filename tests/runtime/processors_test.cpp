// HuggingFace's processors and warpers: its own results for every case, on
// every instruction set.
#include "runtime/generation/processors.hpp"
#include "runtime/generation/sampler.hpp"
#include "runtime/generation/warpers.hpp"
#include "runtime/json/reader.hpp"
#include "tests/fixtures.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

float number(const json::value &v) {
  return v.is_string() ? -INFINITY : static_cast<float>(v.as_double());
}

std::vector<float> numbers(const json::value &list) {
  std::vector<float> out;
  for (const auto &v : list.items())
    out.push_back(number(v));
  return out;
}

std::vector<std::int32_t> ids(const json::value &v) {
  if (!v.is_array())
    return {static_cast<std::int32_t>(v.as_int())};
  std::vector<std::int32_t> out;
  for (const auto &id : v.items())
    out.push_back(static_cast<std::int32_t>(id.as_int()));
  return out;
}

struct golden_case {
  std::string name;
  std::vector<float> logits, expected;
  std::vector<std::int32_t> tokens;
  sampled_sequence sequence;
};

void read_rules(const json::value &p, sampled_sequence &out) {
  auto &rules = out.parameters.own_rules();
  if (const auto words = p.find("bad_words_ids"))
    for (const auto &word : words->items())
      rules.bad_words_ids.push_back(ids(word));
  const auto list = [&](const char *name, std::vector<std::int32_t> &to) {
    if (const auto found = p.find(name))
      to = ids(*found);
  };
  list("suppress_tokens", rules.suppress_tokens);
  list("begin_suppress_tokens", rules.begin_suppress_tokens);
  list("forced_eos_token_id", rules.forced_eos_token_id);
  list("eos_token_id", rules.end_token_ids);
  if (const auto n = p.find("min_new_tokens"))
    out.parameters.min_new_tokens = n->as_int();
  if (const auto n = p.find("min_length"))
    out.parameters.min_new_tokens =
        n->as_int() - static_cast<std::int64_t>(out.prompt_length);
  out.max_length = static_cast<std::size_t>(p.get_int("max_length", 1000));
}

golden_case read_case(const json::value &v) {
  golden_case out;
  out.name = v.at("name").as_string();
  out.logits = numbers(v.at("logits"));
  out.expected = numbers(v.at("out_logits"));
  out.tokens = ids(v.at("input_ids"));
  out.sequence.prompt_length =
      static_cast<std::size_t>(v.at("prompt_len").as_int());
  const auto p = v.at("params");
  auto &s = out.sequence.parameters;
  const auto real = [&](const char *name, float &to) {
    if (const auto found = p.find(name))
      to = number(*found);
  };
  real("temperature", s.temperature);
  real("top_p", s.top_p);
  real("min_p", s.min_p);
  real("typical_p", s.typical_p);
  real("epsilon_cutoff", s.epsilon_cutoff);
  real("eta_cutoff", s.eta_cutoff);
  real("repetition_penalty", s.repetition_penalty);
  s.top_k = static_cast<std::int32_t>(p.get_int("top_k", 0));
  s.no_repeat_ngram_size =
      static_cast<std::int32_t>(p.get_int("no_repeat_ngram_size", 0));
  read_rules(p, out.sequence);
  return out;
}

std::vector<golden_case> golden_cases() {
  const auto document =
      json::document::load(testing::fixture("processors/cases.json"));
  std::vector<golden_case> out;
  for (const auto &v : document.root().items())
    out.push_back(read_case(v));
  return out;
}

/// Memory for one row.
struct scratch {
  explicit scratch(std::size_t n)
      : scores(n),
        weights(n),
        maxima(n / 64 + 1),
        block_max(n / 64 + 1),
        tokens(n),
        places(n),
        candidates(n) {}
  std::vector<float> scores, weights, maxima, block_max;
  std::vector<std::int32_t> tokens, places;
  std::vector<scored_candidate> candidates;
};

std::vector<float> block_maxima(const std::vector<float> &x) {
  std::vector<float> out((x.size() + 63) / 64, -INFINITY);
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i / 64] = std::max(out[i / 64], x[i]);
  return out;
}

/// Every processor and warper applied, -infinite where a token is left out.
std::vector<float> applied(const std::vector<float> &logits,
                           const sampler_state &state,
                           const neuron::kernel_set &kernels) {
  auto edited = logits;
  auto maxima = block_maxima(logits);
  scratch s(logits.size());
  score_editor editor(edited, maxima);
  apply_processors(state, editor, s.candidates);
  BOOST_TEST(maxima == block_maxima(edited), boost::test_tools::per_element());
  const auto row =
      warped(kernels, {s.scores, s.weights, s.tokens, s.places, s.candidates},
             editor.row(), s.maxima, state.parameters());
  std::vector<float> out(logits.size(), -INFINITY);
  for (std::size_t i = 0; i < row.size(); ++i)
    out[static_cast<std::size_t>(row.token(i))] = row.scores()[i];
  return out;
}

std::vector<float> applied(const std::vector<float> &logits,
                           const sampling_parameters &p,
                           const std::vector<std::int32_t> &tokens,
                           std::size_t prompt_length) {
  sampled_sequence sequence;
  sequence.parameters = p;
  sequence.prompt_length = prompt_length;
  sequence.max_length = 100;
  sampler_state state;
  state.begin(sequence, tokens, logits.size());
  return applied(logits, state, neuron::kernels_for(neuron::isa::portable));
}

} // namespace

BOOST_AUTO_TEST_SUITE(processors)

BOOST_AUTO_TEST_CASE(equal_huggingface) {
  const auto cases = golden_cases();
  BOOST_TEST(cases.size() == 93u);
  for (const auto set : neuron::available_isas())
    for (const auto &c : cases) {
      sampler_state state;
      state.begin(c.sequence, c.tokens, c.logits.size());
      const auto got = applied(c.logits, state, neuron::kernels_for(set));
      for (std::size_t i = 0; i < got.size(); ++i) {
        BOOST_TEST((got[i] == -INFINITY) == (c.expected[i] == -INFINITY),
                   c.name << ": token " << i);
        if (c.expected[i] != -INFINITY)
          BOOST_TEST(std::abs(got[i] - c.expected[i]) <=
                         1e-6 * std::abs(c.expected[i]),
                     c.name << ": token " << i);
      }
    }
}

BOOST_AUTO_TEST_CASE(frequency_and_presence_count_the_output_alone) {
  sampling_parameters p;
  p.frequency_penalty = 0.5f;
  p.presence_penalty = 0.25f;
  const std::vector<float> logits{1.0f, 1.0f, 1.0f, 1.0f};
  const auto got = applied(logits, p, {0, 0, 1, 2, 1}, 2);
  BOOST_TEST(got == (std::vector<float>{1.0f, -0.25f, 0.25f, 1.0f}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(biases_and_allowed_tokens) {
  sampling_parameters p;
  auto &rules = p.own_rules();
  rules.allowed_token_ids = {3, 1};
  rules.logit_bias = {{1, 2.0f}, {0, 50.0f}, {1, -0.5f}};
  const auto got = applied({0.0f, 1.0f, 2.0f, 3.0f}, p, {0}, 1);
  BOOST_TEST(got == (std::vector<float>{-INFINITY, 2.5f, -INFINITY, 3.0f}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_forced_first_token_follows_a_prompt_of_one) {
  sampling_parameters p;
  p.own_rules().forced_bos_token_id = 2;
  p.own_rules().begin_suppress_tokens = {1};
  const std::vector<float> logits{1.0f, 2.0f, 3.0f};
  BOOST_TEST(applied(logits, p, {0}, 1) ==
                 (std::vector<float>{-INFINITY, -INFINITY, 0.0f}),
             boost::test_tools::per_element());
  BOOST_TEST(applied(logits, p, {0, 2}, 1) ==
                 (std::vector<float>{1.0f, -INFINITY, 3.0f}),
             boost::test_tools::per_element());
  BOOST_TEST(applied(logits, p, {0, 2}, 2) ==
                 (std::vector<float>{1.0f, -INFINITY, 3.0f}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(top_n_sigma_measures_all_scores) {
  sampling_parameters p;
  p.top_n_sigma = 1.0f;
  p.temperature = 0.5f; // changes nothing about which are kept
  // Mean 2.5, standard deviation 1.118: 4 and 3 are within it of the top.
  const auto got = applied({1.0f, 4.0f, 2.0f, 3.0f}, p, {0}, 1);
  BOOST_TEST(got == (std::vector<float>{-INFINITY, 8.0f, -INFINITY, 6.0f}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rolled_back_state_is_as_if_nothing_had_happened) {
  sampled_sequence sequence;
  sequence.parameters.repetition_penalty = 1.3f;
  sequence.parameters.frequency_penalty = 0.4f;
  sequence.parameters.no_repeat_ngram_size = 2;
  sequence.prompt_length = 3;
  sequence.max_length = 50;
  const std::vector<float> logits{0.5f, -1.0f, 2.0f, 0.1f, -0.2f, 1.0f};
  const auto &kernels = neuron::kernels_for(neuron::isa::portable);
  sampler_state plain, ahead;
  plain.begin(sequence, std::vector{1, 2, 1}, logits.size());
  ahead.begin(sequence, std::vector{1, 2, 1}, logits.size());
  for (const int token : {2, 5, 5, 0}) {
    for (const int drafted : {4, token, 3, 3})
      ahead.append(drafted);
    ahead.roll_back(4);
    BOOST_TEST(applied(logits, ahead, kernels) ==
                   applied(logits, plain, kernels),
               boost::test_tools::per_element());
    plain.append(token);
    ahead.append(token);
    BOOST_TEST(ahead.last_token() == token);
  }
}

BOOST_AUTO_TEST_SUITE_END()
