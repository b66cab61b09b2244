// Speculation changes no bit: with any guesses, greedy or sampled, alone or
// among others, the tokens and log-probabilities are those without.
#include "runtime/checkpoint/synthetic.hpp"
#include "tests/actors/engine_fixture.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <caf/actor_system_config.hpp>

#include <map>
#include <random>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

using ids = std::vector<std::int32_t>;

/// Guesses from texts that are known beforehand, right with a chance.
class scripted_guesser final : public runtime::guesser {
public:
  scripted_guesser(std::shared_ptr<const std::vector<ids>> texts, double right)
      : texts_(std::move(texts)),
        right_(right) {}

  void continue_after(std::span<const std::int32_t> tokens, std::size_t most,
                      ids &out) override {
    for (const ids &text : *texts_) {
      if (text.size() <= tokens.size() ||
          !std::equal(tokens.begin(), tokens.end(), text.begin()))
        continue;
      const auto rest = std::span(text).subspan(tokens.size());
      for (const std::int32_t t : rest.first(std::min(most, rest.size())))
        out.push_back(is_right_(random_) < right_ ? t : (t + 1) % 512);
      return;
    }
  }

private:
  std::shared_ptr<const std::vector<ids>> texts_;
  double right_;
  std::mt19937 random_{3};
  std::uniform_real_distribution<double> is_right_{0, 1};
};

/// Requests that differ in all that a token may depend on.
std::vector<generation_request> requests() {
  const ids prompt{1, 403, 407, 261, 378, 432, 395};
  std::vector<generation_request> out(5);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].prompt_ids = prompt;
    out[i].prompt_ids[1] += static_cast<std::int32_t>(i);
    out[i].max_new_tokens = 40 + static_cast<std::int64_t>(i);
    out[i].ignore_eos = true;
    out[i].seed = 7 + i;
    out[i].top_logprobs = 2;
  }
  out[1].sampling.do_sample = true;
  out[2].sampling.do_sample = true;
  out[2].sampling.temperature = 0.8f;
  out[2].sampling.top_p = 0.9f;
  out[3].sampling.repetition_penalty = 1.3f;
  out[3].sampling.no_repeat_ngram_size = 3;
  out[4].sampling.do_sample = true;
  out[4].sampling.frequency_penalty = 0.5f;
  out[4].processed_logprobs = true;
  return out;
}

std::vector<std::shared_ptr<collector>> run_all(ganglion::hosted_engine &e) {
  std::vector<std::shared_ptr<collector>> out;
  for (const auto &r : requests())
    out.push_back(start(e, r));
  for (const auto &c : out) {
    c->wait();
    BOOST_REQUIRE(!c->last.failed);
  }
  return out;
}

/// What comes out without guesses.
const std::vector<std::shared_ptr<collector>> &plain(std::int64_t degree) {
  static std::map<std::int64_t, std::vector<std::shared_ptr<collector>>> known;
  auto &outcomes = known[degree];
  if (outcomes.empty()) {
    caf::actor_system_config config;
    caf::actor_system system(config);
    ganglion::hosted_engine e(system, story_config(degree));
    e.wait_until_ready();
    outcomes = run_all(e);
  }
  return outcomes;
}

std::shared_ptr<const std::vector<ids>> known_texts(std::int64_t degree) {
  auto out = std::make_shared<std::vector<ids>>();
  const auto asked = requests();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    out->push_back(asked[i].prompt_ids);
    out->back().insert(out->back().end(), plain(degree)[i]->ids.begin(),
                       plain(degree)[i]->ids.end());
  }
  return out;
}

void check_same(const std::vector<std::shared_ptr<collector>> &got,
                const std::vector<std::shared_ptr<collector>> &want) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    BOOST_TEST_CONTEXT("request " << i) {
      BOOST_TEST(got[i]->ids == want[i]->ids, boost::test_tools::per_element());
      BOOST_TEST(got[i]->logprobs == want[i]->logprobs,
                 boost::test_tools::per_element());
      BOOST_TEST(got[i]->text == want[i]->text);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(guesses)

BOOST_DATA_TEST_CASE(change_no_bit,
                     boost::unit_test::data::make({1, 2}) *
                         boost::unit_test::data::make({1, 2, 4, 8}) *
                         boost::unit_test::data::make({0.0, 0.5, 0.9, 1.0}),
                     degree, length, right) {
  auto config = story_config(degree);
  config.speculation.length = length;
  actors::environment surroundings;
  surroundings.guessers = [texts = known_texts(degree), right] {
    return std::make_unique<scripted_guesser>(texts, right);
  };
  surroundings.row_share = 0.05;
  caf::actor_system_config system_config;
  caf::actor_system system(system_config);
  ganglion::hosted_engine e(system, config, {}, surroundings);
  e.wait_until_ready();
  check_same(run_all(e), plain(degree));
  const auto counts = e.status().guesses;
  BOOST_TEST((counts.held > 0) == (right > 0));
  if (right == 1)
    BOOST_TEST(counts.held == counts.judged);
  BOOST_TEST(e.status().free_kv_blocks == e.status().kv_blocks);
}

BOOST_AUTO_TEST_CASE(come_from_the_text_itself) {
  auto config = story_config();
  config.speculation.draft_model = "ngram";
  config.speculation.length = 8;
  // A prompt that repeats; logits that prefer what came before.
  auto request = prompt_of("the dog and the cat and the dog and the cat and "
                           "the dog and the cat and the dog and",
                           60);
  request.sampling.repetition_penalty = 0.3f;
  ganglion::engine plainly(story_config());
  plainly.wait_until_ready();
  const auto want = run(plainly, request);
  actors::environment surroundings;
  surroundings.row_share = 0.05;
  caf::actor_system_config system_config;
  caf::actor_system system(system_config);
  ganglion::hosted_engine guessing(system, config, {}, surroundings);
  guessing.wait_until_ready();
  const auto got = run(guessing, request);
  BOOST_TEST(got->ids == want->ids, boost::test_tools::per_element());
  BOOST_TEST(got->logprobs == want->logprobs, boost::test_tools::per_element());
  BOOST_TEST(got->last.guesses.held > 20);
  BOOST_TEST(guessing.status().steps < plainly.status().steps);
}

BOOST_DATA_TEST_CASE(of_a_model_that_is_the_same_all_hold,
                     boost::unit_test::data::make({1, 2}) *
                         boost::unit_test::data::make({1, 2, 4, 8}),
                     degree, length) {
  auto config = story_config(degree);
  config.speculation.draft_model = stories260k();
  config.speculation.length = length;
  config.graph.kv_blocks = 24; // some are preempted
  actors::environment surroundings;
  surroundings.row_share = 0.05;
  caf::actor_system_config system_config;
  caf::actor_system system(system_config);
  ganglion::hosted_engine e(system, config, {}, surroundings);
  e.wait_until_ready();
  check_same(run_all(e), plain(degree));
  const auto counts = e.status().guesses;
  BOOST_TEST(counts.judged > 80);
  BOOST_TEST(counts.held == counts.judged);
}

BOOST_AUTO_TEST_CASE(of_a_model_that_knows_nothing_change_no_bit) {
  scratch_directory made;
  runtime::synthetic_spec shape;
  shape.vocab = 512;
  runtime::write_synthetic_checkpoint(made.path(), shape);
  auto config = story_config(2);
  config.speculation.draft_model = made.path();
  config.speculation.tp_degree = 1;
  actors::environment surroundings;
  surroundings.row_share = 0.05;
  caf::actor_system_config system_config;
  caf::actor_system system(system_config);
  ganglion::hosted_engine e(system, config, {}, surroundings);
  e.wait_until_ready();
  check_same(run_all(e), plain(2));
  const auto counts = e.status().guesses;
  BOOST_TEST(counts.judged > 0);
  // It is given up soon.
  BOOST_TEST(counts.judged < 100);
}

BOOST_AUTO_TEST_CASE(stop_strings_end_in_the_middle_of_them) {
  actors::environment surroundings;
  surroundings.guessers = [texts = known_texts(1)] {
    return std::make_unique<scripted_guesser>(texts, 1.0);
  };
  surroundings.row_share = 0.05;
  caf::actor_system_config system_config;
  caf::actor_system system(system_config);
  ganglion::hosted_engine e(system, story_config(), {}, surroundings);
  e.wait_until_ready();
  auto request = requests()[0];
  request.stop = {plain(1)[0]->text.substr(30, 6)};
  const auto got = run(e, request);
  BOOST_TEST((got->last.finish == finish_reason::stop_sequence));
  BOOST_TEST(got->text == plain(1)[0]->text.substr(
                              0, plain(1)[0]->text.find(request.stop[0])));
  BOOST_TEST(e.drain(std::chrono::seconds(60)));
}

BOOST_AUTO_TEST_SUITE_END()
