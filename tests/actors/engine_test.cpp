// The whole engine on the shipped model: HuggingFace's continuations at every
// degree, over both kinds of collectives, alone and in company.
#include "tests/actors/engine_fixture.hpp"
#include "tests/golden.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <caf/actor_system_config.hpp>

#include <cmath>
#include <latch>
#include <random>
#include <thread>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

struct story {
  std::string prompt, text;
  std::vector<std::int32_t> ids;
  std::vector<double> logprobs;
};

std::vector<story> stories() {
  const auto document = json::document::load(stories260k() + "/expected.json");
  std::vector<story> out;
  for (const auto &item : document.root().items()) {
    story s;
    s.prompt = item.at("prompt").as_string();
    s.text = item.at("text").as_string();
    for (const auto &id : item.at("greedy_ids").items())
      s.ids.push_back(static_cast<std::int32_t>(id.as_int()));
    for (const auto &p : item.at("logprobs").items())
      s.logprobs.push_back(p.as_double());
    out.push_back(std::move(s));
  }
  return out;
}

void check_stories(engine &e) {
  for (const story &s : stories()) {
    auto request = prompt_of(s.prompt, static_cast<std::int64_t>(s.ids.size()));
    request.ignore_eos = true;
    const auto got = run(e, request);
    BOOST_TEST(got->ids == s.ids, boost::test_tools::per_element());
    BOOST_TEST(s.prompt + got->text == s.text);
    BOOST_TEST((got->last.finish == finish_reason::length));
    for (std::size_t i = 0; i < s.logprobs.size(); ++i)
      BOOST_TEST(std::abs(got->logprobs[i] - s.logprobs[i]) < 1e-4);
  }
}

/// Bounds of what requests ask for.
struct request_sizes {
  int vocabulary, least_prompt, most_prompt, least_new, most_new;
};
constexpr request_sizes story_sizes{512, 20, 90, 60, 150};

/// A varied set of requests, sampled and greedy.
std::vector<generation_request>
mixed_requests(int count, const request_sizes &sizes = story_sizes) {
  std::mt19937 random(11);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  std::vector<generation_request> out;
  for (int i = 0; i < count; ++i) {
    generation_request r;
    const int length = pick(sizes.least_prompt, sizes.most_prompt);
    for (int t = 0; t < length; ++t)
      r.prompt_ids.push_back(pick(3, sizes.vocabulary - 1));
    r.max_new_tokens = pick(sizes.least_new, sizes.most_new);
    r.ignore_eos = true;
    if (i % 2) {
      r.sampling.do_sample = true;
      r.sampling.temperature = 0.8f;
      r.sampling.top_k = i % 4 == 1 ? 20 : 0;
      r.sampling.top_p = 0.9f;
      r.sampling.repetition_penalty = i % 3 ? 1.1f : 1.0f;
      r.seed = static_cast<std::uint64_t>(i);
    }
    r.sampling.frequency_penalty = i % 5 == 2 ? 0.4f : 0.0f;
    r.sampling.presence_penalty = i % 7 == 1 ? 0.3f : 0.0f;
    r.sampling.no_repeat_ngram_size = i % 6 == 3 ? 3 : 0;
    r.sampling.min_p = i % 8 == 5 ? 0.05f : 0.0f;
    r.sampling.typical_p = i % 10 == 7 ? 0.9f : 1.0f;
    out.push_back(std::move(r));
  }
  return out;
}

/// Alone in an engine with room enough, then together in one with little and
/// every third cancelled after four tokens.
void check_company(const engine_config &crowded,
                   const std::vector<generation_request> &requests) {
  std::vector<std::shared_ptr<collector>> alone, together;
  {
    auto roomy = crowded;
    roomy.graph.kv_blocks = 0;
    ganglion::engine e(roomy);
    e.wait_until_ready();
    for (const auto &r : requests)
      alone.push_back(run(e, r));
  }
  // No step before all of them are queued.
  std::latch queued(1);
  actors::environment surroundings;
  surroundings.before_step = [&](std::int64_t, runtime::step_plan &) {
    queued.wait();
  };
  caf::actor_system_config system_config;
  caf::actor_system system(system_config);
  ganglion::hosted_engine e(system, crowded, {}, surroundings);
  e.wait_until_ready();
  for (std::size_t i = 0; i < requests.size(); ++i)
    together.push_back(start(e, requests[i], i % 3 == 2 ? 4 : 0));
  for (auto s = e.status(); s.running + s.waiting < requests.size();
       s = e.status())
    std::this_thread::yield();
  queued.count_down();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    together[i]->wait();
    if (i % 3 == 2) {
      BOOST_TEST((together[i]->last.finish == finish_reason::cancelled));
      continue;
    }
    BOOST_TEST(together[i]->ids == alone[i]->ids,
               boost::test_tools::per_element());
    BOOST_TEST((together[i]->logprobs == alone[i]->logprobs));
  }
  BOOST_TEST(e.drain(std::chrono::seconds(60)));
  const engine_status s = e.status();
  BOOST_TEST(s.preemptions > 0u);
  BOOST_TEST(s.running + s.waiting == 0u);
  BOOST_TEST(s.free_kv_blocks == s.kv_blocks);
}

} // namespace

BOOST_AUTO_TEST_SUITE(engine)

BOOST_DATA_TEST_CASE(tells_huggingfaces_stories,
                     boost::unit_test::data::make({1, 2, 4}), degree) {
  ganglion::engine e(story_config(degree));
  e.wait_until_ready();
  check_stories(e);
  BOOST_TEST(e.drain(std::chrono::seconds(60)));
  const engine_status s = e.status();
  BOOST_TEST(s.free_kv_blocks == s.kv_blocks);
  BOOST_TEST((degree == 1) == (s.all_reduces == 0));
}

/// A conversation: each prompt is the one before, its answer and some more.
std::vector<std::shared_ptr<collector>> conversation(const engine_config &c) {
  ganglion::engine e(c);
  e.wait_until_ready();
  std::vector<std::shared_ptr<collector>> turns;
  auto request = mixed_requests(1)[0];
  request.max_new_tokens = 40;
  for (int turn = 0; turn < 3; ++turn) {
    turns.push_back(run(e, request));
    const auto &ids = turns.back()->ids;
    request.prompt_ids.insert(request.prompt_ids.end(), ids.begin(), ids.end());
    request.prompt_ids.push_back(3 + turn);
  }
  request.cache_salt = "somebody else";
  turns.push_back(run(e, request));
  BOOST_TEST(e.drain(std::chrono::seconds(60))); // the status follows events
  BOOST_TEST(e.status().free_kv_blocks == e.status().kv_blocks);
  return turns;
}

BOOST_DATA_TEST_CASE(a_found_prefix_changes_no_bit,
                     boost::unit_test::data::make({1, 2}), degree) {
  auto config = story_config(degree);
  const auto found = conversation(config);
  config.scheduling.enable_prefix_caching = false;
  const auto computed = conversation(config);
  for (std::size_t i = 0; i < found.size(); ++i) {
    BOOST_TEST(found[i]->ids == computed[i]->ids,
               boost::test_tools::per_element());
    BOOST_TEST((found[i]->logprobs == computed[i]->logprobs));
    BOOST_TEST(computed[i]->last.cached_tokens == 0);
    // All full blocks of what the turn before ended with.
    const auto before = i == 0 ? 0 : found[i - 1]->last.prompt_tokens + 40 - 1;
    BOOST_TEST(found[i]->last.cached_tokens == (i == 3 ? 0 : before / 32 * 32));
  }
}

BOOST_DATA_TEST_CASE(both_collectives_give_the_same_bits,
                     boost::unit_test::data::make({2, 4}), degree) {
  std::vector<std::vector<float>> logprobs[2];
  std::uint64_t reductions[2] = {};
  for (const auto kind :
       {runtime::collectives_kind::lease, runtime::collectives_kind::message}) {
    auto config = story_config(degree);
    config.graph.collectives = kind;
    ganglion::engine e(config);
    e.wait_until_ready();
    const int which = kind == runtime::collectives_kind::message;
    for (auto &request : mixed_requests(4))
      logprobs[which].push_back(run(e, request)->logprobs);
    reductions[which] = e.status().all_reduces;
  }
  BOOST_TEST((logprobs[0] == logprobs[1]));
  // Two per layer and step, five layers, all of them counted.
  BOOST_TEST(reductions[0] == reductions[1]);
  BOOST_TEST(reductions[0] % 10 == 0u);
  BOOST_TEST(reductions[0] > 0u);
}

BOOST_DATA_TEST_CASE(company_changes_no_bit,
                     boost::unit_test::data::make({1, 2}) *
                         boost::unit_test::data::make({8, 32}),
                     degree, count) {
  auto config = story_config(degree);
  // Eight sequences of three to eight blocks each share sixteen.
  config.graph.kv_blocks = 16;
  check_company(config, mixed_requests(count));
}

BOOST_DATA_TEST_CASE(company_changes_no_bit_in_any_family,
                     boost::unit_test::data::make(golden_names()) *
                         boost::unit_test::data::make({1, 2}),
                     name, degree) {
  auto config = story_config(degree);
  config.model.model_id = fixture("models/" + name);
  // Eight sequences of two to six blocks each share nine.
  config.graph.n_positions = 96;
  config.graph.block_size = 16;
  config.graph.kv_blocks = 9;
  check_company(config, mixed_requests(8, {160, 8, 40, 16, 48}));
}

BOOST_AUTO_TEST_CASE(stop_strings_end_the_text_before_them) {
  ganglion::engine e(story_config());
  e.wait_until_ready();
  auto request = prompt_of("Once upon a time", 200);
  request.stop = {"park.", "Lily's mom"};
  const auto got = run(e, request);
  BOOST_TEST(got->text == ", there was a little girl named Lily. She loved to "
                          "play outside in the ");
  BOOST_TEST((got->last.finish == finish_reason::stop_sequence));
}

BOOST_AUTO_TEST_CASE(refuses_what_it_cannot_serve) {
  ganglion::engine e(story_config());
  e.wait_until_ready();
  const auto refused = [&](generation_request r, const std::string &field) {
    const auto got = run(e, r);
    BOOST_TEST(got->last.failed);
    BOOST_TEST((got->last.code == error_code::invalid_argument));
    BOOST_TEST(got->last.field == field);
  };
  auto r = prompt_of("Once", 5);
  r.sampling.temperature = 0;
  refused(r, "temperature");
  r = prompt_of(std::string(5000, 'x'), 5);
  refused(r, "inputs");
  r = {};
  r.prompt_ids = {1, 512};
  refused(r, "prompt_ids");
  r = prompt_of("Once", 5);
  r.stop = {""};
  refused(r, "stop");
  BOOST_TEST(run(e, prompt_of("Once upon a time", 3))->ids.size() == 3u);
}

BOOST_AUTO_TEST_CASE(loading_errors_reach_the_caller) {
  auto config = story_config(3);
  ganglion::engine e(config);
  try {
    e.wait_until_ready();
    BOOST_FAIL("3 does not divide 8 heads");
  } catch (const error &why) {
    BOOST_TEST(why.field() == "tensor_parallel_degree");
  }
  config = story_config();
  config.model.model_id = "/nowhere";
  ganglion::engine missing(config);
  BOOST_CHECK_THROW(missing.wait_until_ready(), error);
  BOOST_TEST(run(missing, prompt_of("Once", 5))->last.failed);
}

BOOST_AUTO_TEST_SUITE_END()
