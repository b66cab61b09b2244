// Log-probabilities of prompts and of new tokens, from the whole engine.
#include "tests/actors/engine_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// The log-softmax of every position of a prompt, from its logits.
std::vector<std::vector<double>> rows_of(engine &e,
                                         const std::vector<std::int32_t> &ids) {
  generation_request r;
  r.prompt_ids = ids;
  r.prompt_logits = true;
  const auto logits = run(e, r)->last.logits;
  const std::size_t width = logits->size() / ids.size();
  std::vector<std::vector<double>> out;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const float *x = logits->data() + i * width;
    const double top = *std::max_element(x, x + width);
    double total = 0;
    for (std::size_t j = 0; j < width; ++j)
      total += std::exp(x[j] - top);
    auto &row = out.emplace_back();
    for (std::size_t j = 0; j < width; ++j)
      row.push_back(x[j] - top - std::log(total));
  }
  return out;
}

void check_top(const generated_token &t, const std::vector<double> &row,
               std::size_t count) {
  BOOST_REQUIRE(t.top.size() == count);
  double before = 0;
  for (const auto &other : t.top) {
    BOOST_TEST(std::abs(other.logprob - row[other.id]) < 1e-5);
    BOOST_TEST(other.logprob <= before);
    before = other.logprob;
  }
  const auto best = *std::max_element(row.begin(), row.end());
  BOOST_TEST(std::abs(t.top[0].logprob - best) < 1e-5);
}

std::vector<std::int32_t> long_prompt() {
  std::vector<std::int32_t> out;
  for (std::int32_t i = 0; i < 150; ++i)
    out.push_back(3 + i * 37 % 500);
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(prompt_logprobs)

BOOST_AUTO_TEST_CASE(equal_the_log_softmax_of_the_logits) {
  const auto ids = long_prompt();
  for (const std::int64_t degree : {1, 2}) {
    engine e(story_config(degree));
    e.wait_until_ready();
    const auto rows = rows_of(e, ids);
    generation_request r;
    r.prompt_ids = ids;
    r.max_new_tokens = 1;
    r.top_logprobs = 3;
    r.prompt_logprobs = 2;
    const auto got = run(e, r);
    const auto &prompt = got->last.prompt;
    BOOST_REQUIRE(prompt.size() == ids.size());
    BOOST_TEST(std::isnan(prompt[0].logprob));
    BOOST_TEST(prompt[0].top.empty());
    for (std::size_t i = 1; i < ids.size(); ++i) {
      BOOST_TEST(prompt[i].id == ids[i]);
      BOOST_TEST(std::abs(prompt[i].logprob - rows[i - 1][ids[i]]) < 1e-5);
      check_top(prompt[i], rows[i - 1], 2);
    }
    check_top(got->last.tokens.at(0), rows.back(), 3);
  }
}

BOOST_AUTO_TEST_CASE(a_given_continuation_scores_as_when_it_was_generated) {
  engine e(story_config());
  e.wait_until_ready();
  auto first = prompt_of("Once upon a time", 40);
  const auto generated = run(e, first);
  generation_request r;
  r.prompt = "Once upon a time" + generated->text;
  r.prompt_logprobs = 0;
  r.prompt_only = true;
  const auto got = run(e, r);
  BOOST_TEST((got->last.finish == finish_reason::length));
  BOOST_TEST(got->ids.empty());
  const auto &prompt = got->last.prompt;
  const auto n = generated->ids.size();
  BOOST_REQUIRE(prompt.size() == 5 + n);
  std::string text;
  for (const auto &t : prompt)
    text += t.text;
  BOOST_TEST(text == r.prompt);
  for (std::size_t i = 0; i < n; ++i) {
    BOOST_TEST(prompt[5 + i].id == generated->ids[i]);
    BOOST_TEST(prompt[5 + i].logprob == generated->logprobs[i]);
  }
}

BOOST_AUTO_TEST_CASE(a_prompt_of_one_token_has_nothing_to_score) {
  engine e(story_config());
  e.wait_until_ready();
  generation_request r;
  r.prompt_ids = {1};
  r.prompt_only = true;
  for (const bool scored : {false, true}) {
    if (scored)
      r.prompt_logprobs = 1;
    const auto got = run(e, r);
    BOOST_TEST((got->last.finish == finish_reason::length));
    BOOST_TEST(got->last.prompt.size() == (scored ? 1u : 0u));
    BOOST_TEST(got->last.prompt_tokens == 1);
  }
}

BOOST_AUTO_TEST_CASE(more_alternatives_than_the_engine_keeps_are_refused) {
  auto config = story_config();
  config.scheduling.max_logprobs = 4;
  engine e(config);
  e.wait_until_ready();
  auto r = prompt_of("Once", 1);
  r.top_logprobs = 5;
  const auto got = run(e, r);
  BOOST_TEST(got->last.failed);
  BOOST_TEST(got->last.field == "top_logprobs");
  r.top_logprobs = 4;
  BOOST_TEST(run(e, r)->last.tokens.at(0).top.size() == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
