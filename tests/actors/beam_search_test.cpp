// Beam search against HuggingFace's: ids, scores and their order.
#include "actors/hf_generation_adapter.hpp"
#include "tests/actors/auto_model_fixture.hpp"
#include "tests/actors/engine_fixture.hpp"
#include "tests/golden.hpp"

#include <boost/test/data/test_case.hpp>

#include <map>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// The texts of one request, each with its last event.
class beams_collector final : public event_sink {
public:
  bool push(generation_event event) override {
    const std::lock_guard lock(mutex_);
    for (const auto &t : event.tokens)
      ids[event.choice].push_back(t.id);
    ended = event.last();
    events[event.choice] = std::move(event);
    changed_.notify_all();
    return true;
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended; });
  }

  std::map<std::int32_t, std::vector<std::int32_t>> ids;
  std::map<std::int32_t, generation_event> events;
  bool ended = false;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

runtime::early_stopping stopping_of(const json::value &v) {
  if (v.is_string())
    return runtime::early_stopping::never;
  return v.as_bool() ? runtime::early_stopping::at_once
                     : runtime::early_stopping::no;
}

generation_request request_of(const golden &g, const json::value &search) {
  generation_request r;
  const auto prompts = g.expected.root().at("prompts").items();
  const auto which = static_cast<std::size_t>(search.at("prompt").as_int());
  r.prompt_ids = ids_of(prompts[which].at("ids"));
  r.max_new_tokens = search.at("max_new_tokens").as_int();
  r.num_beams = static_cast<std::int32_t>(search.at("num_beams").as_int());
  r.n = r.num_beams;
  r.length_penalty =
      static_cast<float>(search.at("length_penalty").as_double());
  r.early_stopping = stopping_of(search.at("early_stopping"));
  r.ignore_eos = true;
  if (const auto eos = search.find("eos_token_id"); eos && !eos->is_null())
    r.stop_token_ids = {static_cast<std::int32_t>(eos->as_int())};
  return r;
}

generation_request story(std::int32_t beams) {
  auto r = prompt_of("Once upon a time", 20);
  r.num_beams = beams;
  return r;
}

std::string refusal(generation_request request) {
  ganglion::engine e(story_config());
  e.wait_until_ready();
  const auto got = run(e, std::move(request));
  return got->last.failed ? got->last.field + ": " + got->last.message : "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(beam_search)

BOOST_DATA_TEST_CASE(finds_huggingfaces_texts,
                     boost::unit_test::data::make(golden_names()) *
                         boost::unit_test::data::make({1, 2}),
                     name, degree) {
  const golden g(name);
  const auto searches = g.expected.root().find("beam_search");
  if (!searches)
    return;
  engine_config config;
  config.model.model_id = g.directory;
  config.model.dtype = runtime::weight_dtype::f32;
  config.graph.tensor_parallel_degree = degree;
  config.scheduling.max_rolling_batch_size = 3; // fewer than some have beams
  ganglion::engine e(config);
  e.wait_until_ready();
  for (const auto &search : searches->items()) {
    const auto got = std::make_shared<beams_collector>();
    e.submit(request_of(g, search), std::static_pointer_cast<event_sink>(got));
    got->wait();
    std::int32_t choice = 0;
    for (const auto &text : search.at("sequences").items()) {
      BOOST_TEST(got->ids[choice] == ids_of(text.at("ids")),
                 boost::test_tools::per_element());
      const auto score = got->events[choice].beam_score;
      BOOST_REQUIRE(score.has_value());
      BOOST_TEST(std::abs(*score - text.at("score").as_double()) < 1e-3);
      ++choice;
    }
  }
  BOOST_TEST(e.drain(std::chrono::seconds(60)));
  BOOST_TEST(e.status().free_kv_blocks == e.status().kv_blocks);
}

BOOST_AUTO_TEST_CASE(is_what_generate_returns) {
  const golden g("gpt2");
  const auto search = g.expected.root().at("beam_search").items()[0];
  const auto request = request_of(g, search);
  const auto model = started(g.directory, {.batch_size = 4});
  const auto rows = ganglion::hf_generation_adapter(model).generate(
      {request.prompt_ids, request.prompt_ids}, {},
      {.max_new_tokens = request.max_new_tokens,
       .eos_token_id = std::vector<std::int32_t>{},
       .num_return_sequences = 2,
       .num_beams = request.num_beams});
  BOOST_REQUIRE(rows.size() == 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    auto want = request.prompt_ids;
    for (const auto id :
         ids_of(search.at("sequences").items()[i % 2].at("ids")))
      want.push_back(id);
    BOOST_TEST(rows[i] == want, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(processors_see_what_was_generated_before) {
  auto request = story(3);
  request.sampling.no_repeat_ngram_size = 1;
  ganglion::engine e(story_config());
  e.wait_until_ready();
  const auto got = run(e, request);
  BOOST_REQUIRE(!got->last.failed);
  const std::set<std::int32_t> different(got->ids.begin(), got->ids.end());
  BOOST_TEST(different.size() == got->ids.size());
}

BOOST_AUTO_TEST_CASE(runs_among_others_and_can_be_cancelled) {
  auto config = story_config();
  config.scheduling.max_rolling_batch_size = 2;
  ganglion::engine e(config);
  e.wait_until_ready();
  const auto alone = run(e, story(4));
  const auto first = start(e, story(4));
  const auto plain = start(e, prompt_of("Once upon a time", 40));
  const auto cancelled = std::make_shared<collector>();
  const auto id =
      e.submit(story(4), std::static_pointer_cast<event_sink>(cancelled));
  e.cancel(id);
  for (const auto &c : {first, plain, cancelled})
    c->wait();
  BOOST_TEST(first->ids == alone->ids, boost::test_tools::per_element());
  BOOST_TEST(plain->ids.size() == 40u);
  BOOST_TEST(e.drain(std::chrono::seconds(60)));
  BOOST_TEST(e.status().free_kv_blocks == e.status().kv_blocks);
}

BOOST_AUTO_TEST_CASE(what_does_not_go_together_is_refused) {
  auto sampled = story(2);
  sampled.sampling.do_sample = true;
  BOOST_TEST(refusal(sampled).starts_with("do_sample: "));
  auto stopped = story(2);
  stopped.stop = {"."};
  BOOST_TEST(refusal(stopped).starts_with("stop: "));
  auto many = story(2);
  many.n = 3;
  BOOST_TEST(refusal(many).starts_with("n: 3 texts"));
  BOOST_TEST(refusal(story(128)).starts_with("num_beams: 128; accepted: "));
}

BOOST_AUTO_TEST_SUITE_END()
